// Words in the names of small businesses. Many also occur in brand names, which is what makes them hard to tell apart.
const FIRST =
  'Blue|Red|Golden|Silver|Green|White|Black|Royal|Grand|Little|Big|Old|New|Happy|Lucky|Sunny|Rustic|Hidden|Twin|Three|North|South|East|West|Upper|Lower|Mountain|Valley|River|Lake|Ocean|Desert|Prairie|Canyon|Harbor|Bay|Island|Forest|Meadow|Hilltop|Lakeside|Riverside|Sunset|Sunrise|Highland|Coastal|Pacific|Atlantic|Midwest|Southern|Northern|Texas|Dakota|Carolina|Georgia|Ohio|Jersey|Boston|Denver|Austin|Dallas|Phoenix|Memphis|Anderson|Baker|Bennett|Brooks|Carter|Collins|Cooper|Davis|Dixon|Edwards|Fischer|Foster|Garcia|Gibson|Hansen|Harper|Hayes|Henderson|Hoffman|Jensen|Johnson|Keller|Larson|Lopez|Marshall|Martinez|Meyer|Miller|Morgan|Murphy|Nguyen|Olson|Parker|Patel|Perez|Peterson|Reed|Reyes|Robinson|Russell|Sanders|Schmidt|Shaw|Sullivan|Thompson|Turner|Wagner|Walker|Watson|Weber|Wilson|Apple|Maple|Cedar|Willow|Magnolia|Juniper|Copper|Iron|Stone|Crystal|Diamond|Liberty|Pioneer|Heritage|Legacy|Premier|Elite|Express|Metro|Union|National|United|American|Summit'.split(
    '|',
  )
const SECOND =
  'Heron|Fox|Bear|Eagle|Wolf|Oak|Pine|Rose|Lotus|Moon|Star|Sun|Anchor|Arrow|Barrel|Bell|Bridge|Candle|Clover|Compass|Crow|Dragon|Feather|Fern|Fig|Forge|Garden|Gate|Goat|Hammer|Hare|Harvest|Hearth|Hill|Hive|Horse|House|Kettle|Key|Lantern|Leaf|Lemon|Lily|Lion|Mill|Moose|Nest|Olive|Orchard|Otter|Owl|Palm|Peak|Pearl|Pepper|Phoenix|Pier|Plum|Pond|Quail|Rabbit|Raven|Ridge|Robin|Rock|Rooster|Sage|Salt|Sparrow|Spoon|Spring|Spruce|Stag|Sugar|Swan|Table|Thistle|Tiger|Timber|Tower|Trail|Turtle|Vine|Wagon|Wheel|Whistle|Wren'.split(
    '|',
  )
const TRADE =
  'Cafe|Coffee|Bakery|Grill|Diner|Pizza|Deli|Tavern|Kitchen|Bistro|Market|Grocery|Liquors|Pharmacy|Dental|Clinic|Salon|Barbers|Nails|Spa|Fitness|Yoga|Auto|Tire|Motors|Fuel|Hardware|Lumber|Supply|Furniture|Flooring|Roofing|Plumbing|Electric|Cleaners|Laundry|Florist|Gifts|Books|Toys|Pets|Vet|Farms|Nursery|Jewelers|Optical|Insurance|Travel|Storage|Studio|Tattoo|Vapes|Boutique|Shoes|Sports|Bikes|Marine|Music|Photo|Printing|Daycare|Academy'.split(
    '|',
  )

/** Yields names of two or three words, always in the same order and spread over all combinations. */
export function* yieldSmallBusinesses(): Generator<string> {
  const all = FIRST.length * SECOND.length * TRADE.length
  // A step that is coprime to the count visits each combination once.
  const step = 7_919 * 13 + 2
  for (let number = 0, at = 0; number < all; number++, at = (at + step) % all) {
    const first = FIRST[at % FIRST.length] ?? ''
    const second = SECOND[Math.floor(at / FIRST.length) % SECOND.length] ?? ''
    const trade = TRADE[Math.floor(at / FIRST.length / SECOND.length)] ?? ''
    // One name in eight has two words. Two-word names eventually repeat, and the caller skips the ones it already has.
    yield number % 8 === 0 ? `${first} ${trade}` : `${first} ${second} ${trade}`
  }
}
