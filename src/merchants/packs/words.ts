import { isTrade } from './trades.ts'

// Words that decide how far a name alone can be trusted. They are data for `remainders.ts` and `brands.ts`.

const listOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

// Brand names of one word that are also plain words, given names or places. "Target 01234" is the brand;
// "Target Shooting Range" is somebody else, and only what follows the word tells.
export const commonWords = listOf(`
  academy accent access acme adagio admiral adobe aerie air alamo alice all alley alliance alpha alpine alto
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
  corner corona cosmo cottage cotton counter country county court courtyard cove cowboy craft crawford creek crescent crest
  cricket crocodile crossroads crown cruise crunch crush crystal cumberland curves cypress dairy daily dakota dallas
  daniel daniels dash dawn day days decor defender dell delta denny dennys depot derby desert destiny diamond dick dicks
  diesel digital direct discover discovery dish divine dixie dodge dollar dolphin domain domino dominos dove dragon dream
  dreams drift duke dynamic eagle eagles earl earls earth east echo eclipse eden edge edition elegance element elements
  elite elm ember emerald emerge empire encore energy enterprise epic equinox essence eternity evergreen evergreens
  everest everyday evolution excel exchange exclusive expert explore express extra fairmont fairway faith falcon
  family fancy farm farmers farms fashion feather fidelity field fiesta fire first fisher five flame flash fleet flint
  flow flower focus folk forest forever forge fort fortune forum fossil foundation fountain fox franklin fraternal
  freedom fresh friend friendly friendlys frontier frost fuel fuego full fusion future galaxy gallery game garage
  garden gate gateway gem general genesis gentle giant gift glacier global globe glory goal gold golden good gourmet
  grace graduate graff graham grain grand grande granger granite grape great greek green greyhound grill grind grove
  guardian guess guild gulf gym habit hall halo hampton happy harbor harmony harold harolds harper harris harrison
  harry harrys hartford harvest haven havana hawk hawthorn prefix health heart hearth heaven heritage hero hickory
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
  terrace terra texas theory thornton thorntons thrift thrifty thrive thunder tide tiffany tiger timber timberland titan tops moes unos cato fila
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
  auction automotive bagel bagels bank banks credit union savings supermarkets supermarket bait bakery ballet band baptist bar barbecue barbeque barbershop bbq   bindery blinds boat body bookkeeping books brewery brewing brewhouse bridal builders building buffet bus cabinets
  campground candles candy cannabis carpet carpentry casino cathedral catering chapel charity chicken chiropractic chocolate
  chocolates church cigar cigars cleaners clinic college collision concessions concert construction consulting contracting contractors
  counseling creamery cuisine cupcakes curling cycles dance daycare deli dental dentist dentistry
  detail detailing diner distillery distributing donut donuts drafting drywall drugs dumplings eatery electric
  electrical electrician engineering equine estates excavating farmers fence fencing festival fireworks fishing
  farm farms orchard fitness flooring floral florist flowers framing funeral furniture gallery gardens gifts glass golf grading
  granite grill grille guns gym hair handyman hardwood hauling hardware heating hibachi hobbies hockey homeowners hookah
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
  accordion acupuncture adventure adventures agency alarm alterations amusement antique antiques aquatic arborist
  archery arena armory artisan asphalt athletic attic auctions aviary awning axe babysitting backhoe bail bakehouse
  ballroom banquet barbell barber barbers bartending baseball basketball batting beautician bedding beekeeping bible
  bicycle biergarten billiards bingo blacksmith boarding boatyard bookbinding bookshop bottling bounce bowling boxing
  brewers broker brokerage brokers brunch buildings butchers calligraphy camping canning canoe cantina caps cardio
  caretaker carriage carwash cater cellars cemetery ceramics charters cheerleading chemical childrens chimney choir
  cider ciderhouse cidery circus cleanup climbing clothes clothier clothiers coaching coatings cobbler coffeehouse
  coins collectibles comedy comics conc concrete confections conference conservatory consignment consultant
  consultants cooling cooperage copier costume costumes counsel courier coyote crane cremation crepe crossfit cruises
  customs cutlery dancing darts demolition dermatology desserts diagnostics dialysis disposal distributors diving dock
  docks dojo doll dollhouse door doors drain drapery drones drum drycleaners drywall dumpster dyno ear eggs elementary
  elevator embroidery endodontics engraving escape escrow espresso excavation exterminators eyebrow eyewear
  fabrication fairgrounds falafel falconry farrier feed fertility fertilizer filter filters filtration finance
  firearms fireplace firewood fireworks fisheries fixtures flea flight florists foam football foundry location frames
  franks freight furnace furs gaming garden gardening gastropub generator genetics goldsmith grading granite gravel
  greenhouse greenhouses grinding grooming guitar guitars gunsmith gutter gutters gyro hardscape haunted healing
  hearing herbs hifi hoagies hosp hospice hospitality hotdogs hydraulics hypnosis icecream imaging immigration
  infusion inspections installations instruments ironworks islamic janitorial jerky jumpers junk kayak kayaks keg
  kickboxing kiln knife knitting laser laundries lawnmower lawyer lending lessons lettering linen linens liner loans
  lockers locks logging lube lutheran makeup maritime marketing masks mausoleum meditation memorials metal metals
  methodist microbrewery midwife millwork minigolf mining monument mortuary mosque motel motorcycle motorcycles
  motorsports mower mowers mulch murals needlework neon oncology optician orchids organ organic oysters packing
  paintball parachute parish parlor parlour pasta pavers pawnshop pediatric pediatrics pen pens perfume pest
  pharmacist phones pickle pilates pizzas plaster plastics plating plumber plumbers podiatry portrait powersports
  presbyterian prosthetics provisions psychiatry psychic pulmonary pump pumps quarry quilt quilting raceway racing
  racquet radiator rafting rec recording recovery recycling redemption refinishing refrigeration rehabilitation reiki
  renovations reptile reptiles rescue reservoir rides rigging rink roasters roasting robotics rodeo roofers rowing
  running rv saddle saddlery safari salsa salvage sanitation sausage saw sawmill scooter scooters scrap scuba
  sculpture seafood seamstress seed sharpening shears sheds sheep shelter shipyard shoerepair shoeshine shuttle sign
  ski skydiving soap sod softball softwash soup sportsbar spray sprinkler squash stadium staffing staging stained
  steel stove stoves stucco suds supper surfboards surgeon surplus survey swap swimming tabernacle tackle tap taphouse
  taproom tavern taxi taxis tennis tent tents textile textiles therapists thrift tickets tint tinting toastmasters
  tobacconist tool townhomes tractors trading trampolines treatment trophies trophy tubing tutoring tux tuxedo uniform
  uniforms urology vacuum vacuums valet vegan vein venue videography vinyl violins waterproofing waxing weaving
  weights welders wellness wig wigs wildlife winemakers woodcarving woodwork woodworking woodworks workshop wraps
  wrestling yarns youth
  accounting cpa notary dmv toll tolls hoa condo condos assn elks vfw legion orchestra symphony playhouse films film media
  records nightclub nightclubs montessori gymnastics gymnasium aviation industries mfg foundation propane dispensary
  dispensaries title coin cheese honey dive surf butcher butchery bakeshop cupcakery cupcake yarn dairy orchards maid maids
  washing cleaning rods hotrods candle graphics bookstore labs historical society clerk police sheriff courthouse municipal
  guest guesthouse hostel bnb herb herbs herbal apothecary boutique advertising advisors advisory aesthetics aikido airsoft
  apiary appraisal appraisals arborists architect architects architecture astrology audiology autobody autoworks bartenders
  boatworks bodywork bodyworks bonding bonds bookkeeper botanica botanicals brewpub butterfly cabins candies carnival
  chamber charcuterie chess chiro chocolatier clinics coaches cocktails commissary computers condominiums contractor
  cooking copies cosmetology cottages council creations crematory crochet cupcakes deliveries designs designers design
  detailers development developers diocese dredging electrolysis embassy esthetics estate excavators exteriors eyebrows
  facials fcu feeds fellowship forestry fragrances fundraiser furriers galleries gallery genealogy glassworks golfing
  groomers gunworks hairdressers hairstyling hemp homebuilders horseshoeing hunting hypnotherapy imports industrial
  interiors investors janitors jeweller jewellers judo jujitsu kindergarten kombucha lash lashes leather legal lighting
  lingerie livestock locksmiths management mgmt manicure marketing massages meadery mechanics mediation memorial
  midwifery mosquito mosaics motorcars movers mushrooms nannies naturopathic neurology newspaper obgyn opera organizing
  orthopaedics orthopedic orthopedics orthotics outreach painters paralegal parenting pediatric periodontics perio
  physiotherapy therapy therapist piercing playground podcast poetry popcorn potters poultry powerwash pregnancy probate
  puppets racquetball recruiting reflexology renovation reporting research residences restoration retreat rifle riding
  roundtable schoolhouse sealcoating seminars sheetmetal shiatsu silversmith skateboards skatepark skincare snowmobile
  snowmobiles soils spine stationery stitching stoneworks sunrooms supplements surveyors talent tarot taxidermist temple
  theatrical timber topsoil trapping tshirts tuning turf umpires upholsterers vegan walls waterproofing wealth whiskey
  wholesalers winebar woodcraft workwear zumba zoning league pta post ballpark stadium arena speedway raceway dept
  drilling senior seniors scouts troop symposium sorority fraternity alumni bakeshoppe creperie churros empanadas pho
  poke boba shawarma bistro trattoria ristorante osteria tavola cantina chophouse rotisserie tamales pupusas cevicheria
  acceptance financial finance fin fncl finl funding fdg
  alehouse chowderhouse clamhouse clamshack crabhouse crabshack curryhouse fishhouse fishmarket oysterbar oysterhouse pancakehouse
  ribhouse ribshack teahouse winehouse
  taqueria gun eye club software mobilehome carniceria panaderia mariscos llantera lavanderia tienda peluqueria iglesia botanica pasteleria paleteria
`)

// Trades that many names carry beside their own and many shops keep inside: no sign against a distinctive name, but a
// common word before them is not the brand.
export const sharedTrades = listOf(`
  auto burger cafe care cars center centre coffee deals express foods food grocery
  hall home house jewel market mart plaza pub service services shop spice state supplies tire trading oil gas fuel
  pharmacy pharm`)

// Words that may follow any merchant's name without naming another one.
export const neutralWords = listOf(`
  store stores shop outlet outlets factory online retail inc llc ltd corp co company corporation incorporated usa us the no nbr number unit station
  supercenter superstore location web mobile app purchase payment pos inside outside ord order orders renewal membership
  postpaid prepaid curbside pickup tel onboard inflight infl inflt
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

// Countries as descriptors from abroad end with. Codes that are also states or that words are cut to are left out.
export const foreignCountries: ReadonlyMap<string, string> = new Map([
  ...[...listOf('au dk fr gb hk ie jp kr mx nl nz pl sg th tw za')].map((code) => [code, code] as const),
  ...Object.entries({
    aus: 'au',
    deu: 'de',
    esp: 'es',
    fra: 'fr',
    gbr: 'gb',
    ita: 'it',
    jpn: 'jp',
    mex: 'mx',
    uk: 'gb',
  }),
])

// Given names, kin, peoples, landscapes, colours and praise: what independent shops are called by. A name made only of
// such words and of trades says little, however many of them it has.
const plainWords = listOf(`
  adam al alan albert alex alexander alfredo ali amy andre andrea andrew andy angela angelo angie anita ann anna anne annie
  anthony antonio art arthur ben benny bert betty bill billy bob bobby brad brenda brian bruce bud buddy carl carla carlos
  carmen cathy charlie chris christina christine chuck cindy clara connie craig dan dana danny dave david dean
  debbie dennis diana diane don donna doug duane ed eddie edward elena eli elizabeth ellen emily emma eric ernie eva
  evan felix frank frankie fred freddy gary gene george gina giovanni glen gloria gordon greg gus guy hank hannah harvey
  heidi helen henry herb howard hugo ian ike ivan jackie jake james jamie janet jason jean jeff jen jenny jerry jesse
  jessica jill jim jimmy joan joanne joel jon jonathan jorge jose joseph josh juan judy julian julie justin karen karl
  kathy keith kelly ken kenny kevin kim kyle larry laura lauren lee len leo leon leonard leroy leslie lewis linda
  lisa liz lloyd lou louie louis louise lucy luigi luis luke lynn mack maggie mama manny manuel marc margaret marie mario
  mark marsha marty mary matt matthew maurice mel melissa mia mickey miguel mike mikey milo mimi mindy monica moe murphy nancy
  nate ned neil nelson nicholas nicole nikki nina noah nora norm norman olga oliver pam pat patricia patrick patty
  pedro peggy pete peter phil philip pop pops rachel ralph ramon randy ray raymond rebecca reggie rene rex rich richard rick
  ricky rita rob robert roberta roberto robin rocky rod roger roland ron ronnie rosa rosie roy ruben ruby rudy russ russell
  ruth ryan sal sally salvatore sam sammy samuel sandra sandy santiago sara sarah scott sean seth shane sharon sheila shirley sid
  simon sofia sonny sophia sophie stacy stan stella stephanie stephen steve steven stewart stuart sue susan susie sylvia
  tammy ted teresa terry theo theresa thomas tim tina toby todd tom tommy toni tony tracy travis trish troy tyler uncle val
  vera vic vicky vince vincent vinny vito wade wally walt walter wayne wendy will willie yolanda zach
  garcia gomez gonzalez hernandez jones kim lopez martinez nguyen park patel perez ramirez rodriguez sanchez smith
  torres tran wong chan chen li wang wu yang singh khan cohen davis evans clark hall young baker adams nelson roberts
  turner phillips campbell edwards collins morris rogers reed cooper richardson cox howard ward peterson gray watson
  brooks sanders price bennett wood barnes ross henderson coleman jenkins perry powell long patterson hughes flores
  american asian bavarian belgian brazilian british caribbean chinese cuban dutch english ethiopian european french
  german greek hawaiian hunan irish israeli italian japanese jewish korean latin lebanese mexican mediterranean mongolian
  moroccan peruvian persian polish portuguese russian scandinavian scottish sicilian spanish swedish swiss szechuan thai
  tibetan turkish vietnamese yucatan china france india italy japan korea mexico vietnam rome paris london tokyo
  shanghai beijing hong kong saigon hanoi bombay delhi seoul naples venice tuscany sicily havana cancun athens
  acapulco guadalajara jalisco mazatlan michoacan oaxaca puebla vallarta veracruz
  black blue bronze brown crimson gold golden gray green grey orange pink purple red rose rusty scarlet silver teal violet
  white yellow
  best better big bright busy clean classic cool corner country cozy crazy delicious divine easy elite excellent fancy
  fast fine first free fresh friendly fun good grand great happy heavenly hot house little lucky luxury magic mini mobile
  modern natural neat new nice old original perfect plain precious premier premium prime professional pure quality quick
  quiet rapid real royal rustic safe secret secure simple small smart smooth sparkling special speedy splendid sunny
  super sweet tasty thrifty tiny top total tropical true ultimate ultra unique universal urban vintage warm wild
  wonderful a and at by de del di el for i in la las le les los my n of on our s san santa saint st the to y your
  avenue ave bay beach bend boulevard bridge brook canyon cape castle center central city coast corner corners country
  county court cove creek crossing dale desert downtown east eastern estates farm farms field fields ford forest fort
  fountain garden gardens gate glen grove gulf harbor haven heights hill hills hilltop hollow island junction lake
  lakes lakeside landing lane main meadow meadows midtown mill mills mount mountain neighborhood north northern northwest
  oasis ocean orchard park path peak pier pike place plains point pond port prairie ranch ridge river riverside road
  rock rocks route sea shore sky south southern southwest spring springs square state station stone street summit
  sun sunrise sunset terrace town trail tree trees tunnel turnpike union uptown valley view village vista walk waters
  waterfront way west western woods yard
  angel bear bee bird buffalo bull butterfly cat cow coyote crab crane deer dog dolphin dove dragon duck eagle elephant
  elk fish fox frog goat goose hawk hen hog horse hound lamb lion lobster monkey moose otter owl ox oyster panda panther
  parrot peacock pelican phoenix pig pony rabbit ram rooster salmon shark sheep shrimp snake sparrow spider squirrel swan
  tiger trout turkey turtle unicorn whale wolf zebra apple apricot avocado bamboo banana basil bean beans berry bread
  butter cactus candy cake cakes carrot cheese cherry chili chocolate cinnamon clover coconut cookie cookies corn cream
  crumb cup egg eggs fig flower ginger grain grape herb honey ivy jasmine lavender leaf lemon lilac lily lime lotus mango
  maple milk mint mushroom mustard nut nuts oak olive onion palm papaya peach pear pepper pineapple pine plum pomegranate
  potato pumpkin rice rosemary saffron sage salsa salt spice sprout strawberry sugar sunflower tomato tulip vanilla walnut
  brother brothers bros daughter dad daddy family father friends gentlemen girl girls grandma grandpa guys kids ladies lady
  man men mom moms mother neighbors papa son sons sister sisters team twins women
  one two three four five six seven eight nine ten twenty hundred thousand million first second third
  day days night nights morning noon midnight today weekend summer winter autumn monday friday sunday time
`)

/** Whether the word alone says little of who somebody is. */
export function isPlain(word: string): boolean {
  return (
    plainWords.has(word) ||
    commonWords.has(word) ||
    otherTrades.has(word) ||
    sharedTrades.has(word) ||
    neutralWords.has(word) ||
    isTrade(word) ||
    stateCodes.has(word) ||
    (word.length > 4 && word.endsWith('s') && (plainWords.has(word.slice(0, -1)) || commonWords.has(word.slice(0, -1))))
  )
}

// Words that make the name of a place, a venue or a body of the word before them: `STAPLES CENTER`, `UNITED WAY`. A chain
// whose name is a plain word is not meant by them.
export const placeMakers = listOf(`
  center centre way field park beach mountain bay valley island lake creek ridge grove springs city county university road
  rd street st avenue ave boulevard blvd drive dr lane ln pkwy highway hwy plaza square point landing commons village
  heights hills hill canyon river falls bridge port pier harbor isle estates house hall tower towers forest station
`)

// What a chain says of where its shop stands.
export const placeWords = listOf(`
  airport airpo airprt arpt terminal concourse gate mall galleria center centre ctr plaza plz square sq commons crossing crossings village vlg
  marketplace promenade pavilion pavilions shoppes shops point pointe downtown dwntwn midtown uptown north south east west northeast northwest
  southeast southwest nw ne sw se central main street st avenue ave av road rd blvd boulevard drive dr pkwy parkway hwy highway lane ln way
  park heights hts hills hill lake lakes beach bay valley springs creek ridge grove island landing station corner corners town city county
  university campus turnpike tpke plaza exit interstate route rte metro of at in on the
`)

// Quarters of cities that shops are named by, without spaces.
export const quarters = listOf(`
  soho noho nolita tribeca chelsea flatiron uppereastside uppereast upperwestside upperwest heraldsq timessq unionsq
  harlem williamsburg parkslope dumbo astorplace fidi worldtrade hudsonyards grandcentral pennstation pennsta
  rockefeller backbay faneuil copley harvardsq kenmore fenway georgetown dupont foggybottom capitolhill navyyard
  rivernorth wickerpark lincolnpk lakeview magmile michiganave magnificentmile buckhead ptree midtownatl southbeach
  brickell wynwood coconutgrove frenchquarter frenchqtr gaslamp gaslampqtr lajolla pacificbeach westwood santamonica
  melrose weho dtla koreatown beverlyhills centurycity marinadelrey noma missiondist pikeplace belltown southlakeunion
`)

// With one of them a word or two before it is the name of a square, a mall or the like.
export const venueEndings = listOf('square sq mall galleria plaza outlets marketplace promenade shoppes')

// Fuels and dealers' co-operatives, without spaces: many of their shops carry the owner's name before it. Only names that
// are no word stand here, and none that hotels print behind their own.
export const dealerNames = listOf(`
  acehardware amoco carquest carquestautoparts chevron citgo conoco doitbest doitbesthardware exxon exxonmobil
  napaautoparts phillips66 sunoco texaco truevalue truevaluehardware valero
`)
export const dealerOpenings = listOf(
  'ace amoco carquest chevron citgo conoco do exxon exxonmobil napa phillips sunoco texaco true valero',
)

// Airports as shops inside them print them before their names.
export const airports = listOf(`
  atl bna bos bwi clt cvg dca dfw dtw ewr fll iad iah jfk lax lga mco mdw mke msp msy oak pdx phl phx rdu rsw san sfo sjc slc smf
  sna stl tpa ord phillyair laxairport jfkairport sfoairport atlairport ohare laguardia logan dulles denverair dfwairport
`)
