// Trades by the category codes such shops are found under. A trade behind a brand's name is a sign of somebody else
// unless it is the brand's own: a grill behind a restaurant says nothing new, a grill behind an airline says a lot.
// Catalogs list codes generously, so one shared code proves little: a brand is of a trade when it has the codes that
// mark it, or none but its codes.

type Trade = { readonly codes: string; readonly marks: string; readonly words: string }

const trades: readonly Trade[] = [
  {
    codes: '5811 5812 5813 5814 5441 5451 5462 5499',
    marks: '5811 5462',
    words: `bagel bagels bakery bar barbecue barbeque bbq bistro buffet burger burgers cafe cantina
      chicken coffee creamery cuisine deli dine dining diner donut donuts dumplings eatery eats espresso fish franks grill
      grille ice juice kitchen lounge noodle noodles pie pizza pizzeria pub rest
      restaurant restaurants roastery rotisserie sandwich sandwiches seafood shake shakes smokehouse smoothie smoothies
      steak steakhouse steaks subs taco tacos tea waffle wings yogurt bread pretzels cookies hotdogs alehouse chowderhouse clamhouse
      clamshack crabhouse crabshack curryhouse fishhouse oysterbar oysterhouse pancakehouse ribhouse ribshack teahouse winehouse`,
  },
  {
    codes: '5411 5422 5300 5331 5499',
    marks: '5411 5422',
    words:
      'bakery club deli floral flowers food foods fuel gas grocer grocery groceries market meats pharmacy produce seafood supermarket',
  },
  {
    codes: '5541 5542 5172 5983',
    marks: '5541 5172',
    words: 'convenience fuel gas gasoline mart market oil petro petroleum service station travel truck wash',
  },
  {
    codes: '7011',
    marks: '7011 7012',
    words: 'casino hotel hotels inn inns lodge motel resort resorts restaurant spa suite suites',
  },
  { codes: '5912 5122', marks: '5912 5122', words: 'clinic pharmacy health optical photo medical' },
  {
    codes: '8011 8021 8042 8043 8099 8071 8062',
    marks: '8011 8099',
    words: 'clinic dental health lab laboratories medical optical rehab urgent vision',
  },
  {
    codes: '5511 5532 5533 7531 7534 7535 7538 7542 7549',
    marks: '7534 7538',
    words:
      'auto automotive body brake brakes car care collision glass lube muffler oil parts repair tire tires towing transmission wash',
  },
  {
    codes: '5200 5211 5231 5251 5261',
    marks: '5211 5251',
    words: 'building garden hardware lumber nursery paint paints rental supply tool tools',
  },
  {
    codes: '5712 5713 5714 5719 5722',
    marks: '5712 5714',
    words: 'appliance bedding carpet floor floors flooring furniture home mattress outlet rugs',
  },
  {
    codes: '5611 5621 5631 5641 5651 5655 5661 5691 5699',
    marks: '5651 5691',
    words: 'apparel boutique clothing kids leather lingerie outfitters shirts shoe shoes',
  },
  {
    codes: '5940 5941',
    marks: '5940 5941',
    words: 'bicycle bike bikes fishing golf guns outdoor outdoors ski sports fitness',
  },
  {
    codes: '7832 7997 7991 7996 7998 7999 7933 7922',
    marks: '7832 7997',
    words: `aquarium arcade bowling club concessions fitness golf gym lanes movie movies museum theater theaters theatre theatres
      tickets yoga zoo`,
  },
  {
    codes: '7230 7298 5977',
    marks: '7230 5977',
    words: 'barber beauty cosmetics hair nail nails salon spa tan tanning wax',
  },
  { codes: '5995 0742', marks: '5995 0742', words: 'animal grooming hospital pet pets vet veterinary' },
  { codes: '5734 5815 5816 5817 5818 7372', marks: '5734 7372', words: 'software' },
  { codes: '7276', marks: '7276', words: 'tax taxes' },
  { codes: '6300 6311 5960', marks: '6300 6311', words: 'agency insurance' },
  { codes: '4214 4225 7513 7519', marks: '4225', words: 'moving rental rentals self storage trailer truck' },
  { codes: '7512', marks: '7512 7519', words: 'car fuel rental rentals toll tolls truck' },
  { codes: '4511', marks: '4511', words: 'air airlines' },
  { codes: '4722', marks: '4722', words: 'cruise tours travel vacations' },
  {
    codes: '8299 8351 8211',
    marks: '8299 8351',
    words: 'academy daycare driving learning lessons preschool school training tutoring',
  },
  { codes: '5942 5943 5945 5947 5733 5734', marks: '5942 5947', words: 'art arts books gifts hobby music toys' },
]

const listOf = (words: string) => words.trim().split(/\s+/)
const known = trades.map(({ codes, marks, words }) => ({
  codes: new Set(listOf(codes)),
  marks: listOf(marks),
  words: listOf(words),
}))
const tradesByWord = Map.groupBy(
  known.flatMap((kind) => kind.words.map((word) => ({ word, kind }))),
  ({ word }) => word,
)

/** Whether a trade is one that a brand of these category codes is in. */
export function isOwnTrade(word: string, mccs: readonly string[]): boolean {
  if (mccs.length === 0) return false
  const found = tradesByWord.get(word) ?? []
  return found.some(
    ({ kind }) => kind.marks.every((mark) => mccs.includes(mark)) || mccs.every((mcc) => kind.codes.has(mcc)),
  )
}

/** Whether the word names a trade at all. */
export function isTrade(word: string): boolean {
  return tradesByWord.has(word)
}
