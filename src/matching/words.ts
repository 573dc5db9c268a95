// Words that decide how far a name alone can be trusted. They are data for `remainders.ts` and `brands.ts`.

const listOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

// Brand names of one word that are also plain words, given names or places. "Target 01234" is the brand;
// "Target Shooting Range" is somebody else, and only what follows the word tells.
export const commonWords = listOf(`
  academy accent access adagio admiral adobe aerie air alamo alice all alley alliance alpha alpine alto
  america american amici amigo amigos anchor angel apex apple arc arch arrow art ash ashford aspen atlas aurora
  avalon avenue avis aztec bamboo bank banner barber barn baron barry basic bay bazaar beacon beard bell bella bench
  benefit bentley best big bird black blaze blink block blockbuster bloom blossom blue boarders bonanza bonita boost
  border bottle boulder bounty boutique bowl box bravo bread breeze bridge bright brighton broadway brook brother
  brothers buckle budget buffalo bumpers burlington butler cactus cafe camden camper canal candle canopy canyon
  cape capital capitol cardinal carol carroll carter carters cascade casey caseys cash casino casper castle cedar
  celebration central century certified champion champions chapters charley charleys charlotte charter chase cheddar
  cheddars cherry chester chesters chestnut chief chili chilis chime choice circle citizen citizens city clarion clark
  clarks classic clean clever clipper cloud clover club coach coast coconut coin cole coles colony color colors
  columbia columbus comet comfort community compass concord connect conrad consume converse cook cookout copper coral
  corner corona cosmo cottage cotton country county court courtyard cove cowboy craft crawford creek crescent crest
  cricket crocodile crossroads crown cruise crunch crush crystal cumberland curves cypress dairy daily dakota dallas
  daniel daniels dash dawn day days decor defender delta denny dennys depot derby desert destiny diamond dick dicks
  diesel digital direct discover discovery divine dixie dodge dollar dolphin domain domino dominos dove dragon dream
  dreams drift duke dynamic eagle eagles earl earls earth east echo eclipse eden edge edition elegance element elements
  elite elm ember emerald emerge empire encore energy enterprise epic equinox essence eternity evergreen evergreens
  everest everyday evolution excel exchange exclusive expert explore express extra fairmont fairway faith falcon
  family fancy farm farmers farms fashion feather fidelity field fiesta fire first fisher five flame flash fleet flint
  flow flower focus folk forest forever forge fort fortune forum fossil foundation fountain fox franklin fraternal
  freedom fresh friend friendly friendlys frontier frost fuel fuego full fusion future galaxy gallery game garage
  garden gate gateway gem general genesis gentle giant gift glacier global globe glory goal gold golden good gourmet
  grace graduate graff graham grain grand grande granger granite grape great greek green greyhound grill grind grove
  guardian guess guild gulf gym habit hall halo hampton happy harbor harmony harold harolds harper harris harrison
  harry harrys hartford harvest haven havana hawk hawthorn head health heart hearth heaven heritage hero hickory
  high highland highlands highs hill hilltop hilton hippo holiday holly hollywood home homestead honda honey hope horizon
  host hot house hub hudson hunt hunter huntington hurley husky icon icing ideal image imagine imperial impulse
  independence indigo indra infinite infinity inn insight inspire instyle international intersport iris iron island
  islands ivory ivy jack jacks jackson jacksons jade jaguar jane jasmine java jay jerome jeromes jersey jet jewel jigsaw
  jockey joe john johnny johnson joint jolly jordan joy journey journeys jubilee juice julia jump junction jungle jupiter
  just justice kangaroo karma kate keystone kids kindle king kings kingdom kite knight kona lab lady lake lakeside
  landmark lane largo laredo lark laurel lavender lawson leaf legacy legend legends lemon level lexington liberty life
  light lighthouse lilac lily lime limited lincoln line link lion lions little live local loft lone long loop lotus love
  loves loyal luck lucky lulu luna lunar luxe lynx lyric macy madison magic magnolia main majestic manor mango maple
  marathon marble marco marcos marcs margaritas maria marina mariner mark market marriott marshall marshalls martin
  mason master masters match matrix maverick max maxim meadow mercantil merchants mercury meridian merit merrell metro
  metropolitan michael michaels midas midway miller millennium mint mirage mirror mission mobile mode model modern
  molly momentum monarch monument moon moose morgan morris mortons moss mother motion motor mountain moxie mulberry
  mustang mystic napa nation national native nature nautica navy nectar neptune nest network nexus nick nickel nike nirvana
  noble noodles nordic north northgate northern northside nova oak oakley oaks oasis ocean octopus odyssey ohio
  olive olympia olympic omega omni one onyx opal open optimum opus oracle orange orbit orchard orchestra orchid
  oregon orient oriental origin origins oscar osprey outback outlet owl oxford pacific palace palm pandora panda
  panther papa paradise paragon paramount park parker parkers party passport patagonia path patio patriot paul
  pavilion pavilions peace peach peacock peak pearl pelican pendleton penguin penny peoples pepper perfect perkins
  petro phoenix piccadilly pier pilgrim pilot pine pineapple pinnacle pioneer pirate pizza plain planet platinum plaza
  plum point polaris polo pony popular porter post power prairie precision premier premium prestige pride prime
  primrose princess priority prism pro progressive promise prosper prudential pub public publix pullman puma pure purple
  quality quantum queen quest quick quickly rabbit racer raceway radiant radio rain rainbow rainforest ranch random
  raven ready rebel red redwood reef refuel regal regatta regent regis reliance relay removery renaissance republic
  reserve reserved resort restore retro revival revolution rhodes rich ridge right rio ripple rise rita ritas ritual
  rituals river riverside riviera road robin rock rocket rocky rodeo roman romance roots rose roses rosewood ross roundup
  route royal royale ruby rumble rush rustic ryder safari safe sage sail saint salamander sally salon sam samba sams
  sand sandy sapphire savoy school scotia scout sea sears season seasons secret select sense serenity shadow shakes
  shamrock shanghai share shark sharp sharis sheets shell shine shoppers shore showcase sierra signal signature
  silk silver simple simply sinclair sky slice smart smile smith smiths snipes snooze snow social sol solar soleil
  solstice soma sonic soul source south southern southside spa space spaces spark specialty spectrum speed speedway spencers
  spice spirit splash spoke sport spot spring springfield springs sprint sprouts spruce square stable stage stand
  standard staples star stars state station stella sterling steve stewarts stone store storm strand street strike studio
  style subaru subway success sugar summer summit sun sundance sunflower sunny sunnyside sunrise sunset sunshine super
  superior supreme surf surrey sutter swan sweet swift symphony table tango target taste teal team tempo temple
  terrace terra texas theory thornton thorntons thrift thrifty thrive thunder tide tiffany tiger timber timberland titan
  today tommy top torrid total tower town toyota trade tradition trail trademark tranquility transit travel treasure tree
  trek trend tribe tribeca tribune trident trinity trio triumph trojan tropical true trust tulip turbo twin twist twisters
  ultra umbrella union unique united unity universal universe unleashed upper uptown urban urbane usa utopia vacation valley
  vanguard vanilla vans vantage vault vector vega velocity venture venus vera verde verve victor victoria victory viking
  villa village vince vine vintage violet viper virgin virtue vision vista vital viva vogue vortex voyage voyager wagon
  walker walnut ward wards warrior wasabi wash washington water wave waves webster well wellness west westfield
  western westin westside whale white wild wilderness williams willow wilson win wind windsor wingate winner winter wolf
  wonder wonderland wood woods world wren yellow york young zen zenith zephyr zest zip zone
`)

// Trades and venues. Behind a name they say that another business carries the same word: a dental
// insurer is not the airline. What a large shop runs under its own name (fuel, pharmacy, optical) is not here.
export const otherTrades = listOf(`
  aircraft airport animal apartments appliance aquarium arch arts assembly attorney attorneys
  auction automotive bagel bagels bait bakery ballet band baptist bar barbecue barbeque barbershop bbq   bindery blinds boat body bookkeeping books brewery brewing brewhouse bridal builders building buffet bus cabinets
  campground candles candy cannabis carpet carpentry casino cathedral catering chapel charity chicken chiropractic chocolate
  chocolates church cigar cigars cleaners clinic college collision concessions concert construction consulting contracting contractors
  counseling creamery cuisine cupcakes curling cycles dance daycare deli dental dentist dentistry
  detail detailing diner distillery distributing donut donuts drafting drywall drugs dumplings eatery electric
  electrical electrician engineering equine estates excavating farmers fence fencing festival fireworks fishing
  fitness flooring floral florist flowers framing funeral furniture gallery gardens gifts glass golf grading
  granite grille guns gym hair handyman hardwood hauling hardware heating hibachi hobbies hockey homeowners hookah
  hospice hospital hotel hvac ink inn inspection insulation insurance investments irrigation jeweler jewelers
  jewelry karaoke karate kebab kennel kennels kitchen laboratories landscape landscaping laundromat laundry law lawn
  lawyers leasing lessons library limo limousine liquor liquors loan loans locksmith lodge logistics lounge
  lube lumber machine machinery manufacturing marina marine martial masonry massage mattress meats mechanical medical
  ministries ministry mortgage motel motors moving mowing museum music nail nails noodle nursery nursing optometry
  organics orthodontics painting paint parking patrol paving pawn performing pets philharmonic photo photography
  physicians piano pie pies pizza pizzeria plumbing poker pool pools pottery preschool press printing produce
  productions properties property psychology publishing quilts radiator radiology railroad rafting ramen ranch range
  realtor realtors realty rehab remodeling rental rentals repair restaurant restaurants roastery roofing rugby rv
  sailing salon sandwich sandwiches sales saloon sauna scaffolding school schools screen seafood seeds septic sewing shave
  shirts shooting shutters siding signs skate skating smoke smokehouse smoothies soccer solar spa spas speed spirits
  sports stable stables stadium stamps steak steakhouse steaks storage studio studios supper supply surgery
  surveying sushi synagogue taco tacos tailor tailors tan tanning tattoo tavern tax taxidermy taxi
  teriyaki termite thai theater theatre tile tobacco tow towing toys tractor trailer trailers training transmission
  transport treasurer tree trucking tutoring university upholstery utilities vape vending vet veterinary vineyard
  vineyards violin volleyball waffle waterworks wedding weddings welding wellness window windows wine winery wings
  wrecker wreckers yacht yachts yoga zoo
`)

// Trades that many names carry beside their own and many shops keep inside: no sign against a distinctive name, but a
// common word before them is not the brand.
export const sharedTrades = listOf(`
  auto bistro boutique burger cafe care cars center centre coffee club deals express foods food grill grocery
  hall home house jewel market mart plaza pub retail service services shop spice state supplies tire trading `)

// Words that may follow any merchant's name without naming another one.
export const neutralWords = listOf(`
  store stores shop outlet outlets factory online inc llc ltd corp co company usa us the no nbr number unit station
  oil gas fuel pharmacy pharm supercenter superstore location web mobile app purchase payment pos
`)

// How names of cities with several words begin or end. Without one of them the first word before a city is more
// likely the rest of a name ("Max Brenner Chicago").
export const cityBeginnings = listOf(`
  baton bowling boca cape cedar chapel coral corpus daly des east el elk fall fort ft grand green high jersey kansas la lake las
  little long los mount mountain mt myrtle new north oak oklahoma overland palm palo port rancho salt san santa sioux
  south st saint union virginia walnut west white winston
`)
export const cityEndings = listOf(`
  arbor bay beach bluff branch bluffs city cove creek falls forest gardens grove harbor heights hill hills island lake lakes
  land park point rapids ridge river rock rouge springs station valley view village vista worth
`)

export const stateCodes = listOf(`
  al ak az ar ca co ct de dc fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa
  pr ri sc sd tn tx ut vt va wa wv wi wy
`)
