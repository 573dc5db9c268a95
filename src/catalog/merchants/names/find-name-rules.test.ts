import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand } from '../../../../test/support/brands.ts'
import { buildBrandIndex } from '../brands/brand-index.ts'
import { matchBrand } from '../match.ts'
import type { BrandFacts, MerchantFacts } from '../types.ts'

// A rule book for reading a text: where its name ends and which of several brands it means. `brand` is an automatic
// match, `brand?` is proposed to a person, and `-` is none. Next comes the first piece of evidence, or the reason there
// is no automatic match.

type Row = readonly [text: string, brand: string, why?: string | undefined, more?: MerchantFacts]

function reads(brands: readonly BrandFacts[], rows: readonly Row[]): void {
  for (const [text, expected, why, more] of rows) {
    const facts = { merchantDescriptor: text, ...more }
    // Catalog order must not matter.
    for (const listed of [brands, brands.toReversed()]) {
      const { brandUid, proposedUid, reason, evidence } = matchBrand(buildBrandIndex(listed), facts)
      const found = brandUid ?? (proposedUid === null ? '-' : `${proposedUid}?`)
      assert.equal(found, expected, `${text}: ${reason} ${JSON.stringify(evidence)}`)
      if (why !== undefined) assert.equal(reason ?? evidence[0]?.matched, why, text)
    }
  }
}

const namesakes = (...brands: readonly (Partial<BrandFacts> & { readonly brandUid: string })[]) =>
  brands.map(({ brandUid, ...more }) => brand('Orvane', { brandUid, domains: [`${brandUid}.com`], ...more }))

test("among namesakes, the brand with the purchase's website wins", () => {
  const brands = namesakes({ brandUid: 'a', domains: ['orvane.com'] }, { brandUid: 'b', domains: ['orvane.com'] })
  const third = brand('Orvane', { brandUid: 'c', domains: ['c.com'] })
  reads(
    [...brands.slice(0, 1), third, brand('Tarnby', { domains: ['orvane.com'] })],
    [
      ['ORVANE 12', 'a?', 'name_ambiguous'],
      ['ORVANE 12', 'a', 'orvane', { website: 'orvane.com' }],
    ],
  )
  reads(brands, [['ORVANE 12', 'a?', 'name_ambiguous', { website: 'orvane.com' }]])
})

test('among namesakes, the only one in this category wins', () => {
  reads(namesakes({ brandUid: 'a', mccs: ['5812'] }, { brandUid: 'b', mccs: ['5411'] }, { brandUid: 'c' }), [
    ['ORVANE 12', 'a', 'orvane', { mcc: '5812' }],
    ['ORVANE 12', 'b', 'orvane', { mcc: '5411' }],
    ['ORVANE 12', 'a?', 'name_ambiguous'],
  ])
  reads(namesakes({ brandUid: 'a', mccs: ['5812'] }, { brandUid: 'b', mccs: ['5812'] }), [
    ['ORVANE 12', 'a?', 'name_ambiguous', { mcc: '5812' }],
  ])
})

test('among namesakes, the one limited to this state wins', () => {
  reads(namesakes({ brandUid: 'a' }, { brandUid: 'b', countries: ['us-pa', 'us-md'] }), [
    ['ORVANE 12', 'b', 'orvane', { state: 'PA' }],
    ['ORVANE 12', 'a?', 'name_ambiguous', { state: 'CA' }],
    ['ORVANE 12', 'a?', 'name_ambiguous'],
  ])
})

test('a brand whose main name matches wins over one whose alias matches', () => {
  reads([brand('Orvane'), brand('Tarnby', { aliases: ['Orvane'] })], [['ORVANE 12', 'Orvane']])
  reads(
    [brand('Alder Tarnby', { aliases: ['Orvane'] }), brand('Tarnby', { aliases: ['Orvane'] })],
    [['ORVANE 12', 'Alder Tarnby?', 'name_ambiguous']],
  )
  reads(
    [brand('Orvane'), brand('Tarnby', { aliases: ['Orvane Inn'] }), brand('Alder', { aliases: ['Orvane Inn'] })],
    [['ORVANE INN 12', 'Alder?', 'name_ambiguous']],
  )
})

test('a brand with known spellings wins over a namesake without any', () => {
  const abroad = brand('Target', { brandUid: 'A', domains: ['target-elsewhere.com'] })
  reads([brand('Target'), abroad], [['TARGET 0412', 'Target']])
  reads(
    [brand('Target', { domains: ['target.com'] }), brand('Tarnby', { aliases: ['Target'] })],
    [['TARGET 0412', 'Target']],
  )
})

test('a brand known only by name, or matched without its trade, loses to a stronger namesake', () => {
  reads(namesakes({ brandUid: 'a', domains: [] }, { brandUid: 'b' }), [['ORVANE 12', 'b', 'orvane']])
  reads(namesakes({ brandUid: 'a', domains: [] }, { brandUid: 'b', domains: [] }), [
    ['ORVANE 12', 'a?', 'name_ambiguous'],
  ])
  reads([brand('Orvane'), brand('Orvane Grill', { brandUid: 'A' })], [['ORVANE 12', 'Orvane']])
  reads([brand('Orvane Grill'), brand('Orvane Cafe')], [['ORVANE 12', 'Orvane Cafe?', 'name_ambiguous']])
})

test('the runner-up is reported and is never the chosen brand', () => {
  const brands = namesakes(
    { brandUid: 'a', mccs: ['5812'] },
    { brandUid: 'b' },
    { brandUid: 'c', countries: ['us-pa'] },
  )
  const index = buildBrandIndex(brands)
  const next = (more: MerchantFacts) => {
    const { brandUid, proposedUid, runnerUp } = matchBrand(index, { merchantDescriptor: 'ORVANE 12', ...more })
    return [brandUid, proposedUid, runnerUp]
  }
  assert.deepEqual(next({}), [null, 'a', { brandUid: 'b', score: 0.97 }])
  assert.deepEqual(next({ mcc: '5812' }), ['a', null, { brandUid: 'b', score: 0.97 }])
  assert.deepEqual(next({ state: 'PA' }), ['c', null, { brandUid: 'a', score: 0.97 }])
  const alone = matchBrand(buildBrandIndex(brands.slice(0, 1)), { merchantDescriptor: 'ORVANE 12' })
  assert.deepEqual([alone.score, alone.runnerUp], [0.97, null])
})

test('a score has at most three decimal places and stays below the score of exact evidence', () => {
  const index = buildBrandIndex([brand('Orvane', { mccs: ['5812'] }), brand('Lucky Garden')])
  const scored = (merchantDescriptor: string, mcc?: string) => matchBrand(index, { merchantDescriptor, mcc }).score
  assert.deepEqual(
    [scored('ORVANE 0412', '5812'), scored('ORVANE', '5812'), scored('ORVANE'), scored('ORVANE PLUMBING')],
    [0.99, 0.98, 0.96, 0.55],
  )
})

test('a ticket number after the name identifies the merchant as an airline', () => {
  const brands = namesakes({ brandUid: 'air', mccs: ['4511'] }, { brandUid: 'shop', mccs: ['5812'] })
  reads(brands, [
    ['ORVANE 0061234567890', 'air'],
    ['ORVANE 00123456789012', 'air'],
    ['ORVANE 5261234567890', 'air'],
    ['ORVANE 006123456789', 'air?', 'name_ambiguous'],
    ['ORVANE 006123456789012', 'air?', 'name_ambiguous'],
    ['ORVANE 9991234567890', 'air?', 'name_ambiguous'],
    ['ORVANE 0061234567890', 'shop', 'orvane', { mcc: '5812' }],
    ['ORVANE', 'air?', 'name_ambiguous'],
  ])
})

test("a dash after the plain name of a well-known brand introduces the store's location", () => {
  reads(
    [brand('Target'), brand('Lucky Garden')],
    [
      ['TARGET - RIVERBEND QUILL', 'Target'],
      ['TARGET-RIVERBEND QUILL', 'Target'],
      ['TARGET / RIVERBEND QUILL', 'Target?', 'name_unconfirmed'],
      ['TARGET RIVERBEND QUILL', 'Target?', 'name_unconfirmed'],
      ['TARGET -- RIVERBEND QUILL', 'Target?', 'name_unconfirmed'],
      ['TARGET RIVERBEND - QUILL', 'Target?', 'name_unconfirmed'],
      ['LUCKY GARDEN - RIVERBEND QUILL', 'Lucky Garden?', 'name_unconfirmed'],
    ],
  )
})

test('words such as PAYMENT indicate a payment only after the name, not within it', () => {
  reads(
    [brand('Orvane'), brand('Tarnby Payment'), brand('Velmora Power', { mccs: ['4900'] })],
    [
      ['ORVANE PAYMENT', 'Orvane?', 'not_a_purchase'],
      ['ORVANE 0412', 'Orvane'],
      ['TARNBY PAYMENT 0412', 'Tarnby Payment'],
      ['VELMORA POWER PAYMENT', 'Velmora Power'],
      ['ORVANE DES:SHOP ID:12', 'Orvane?', 'not_a_purchase'],
    ],
  )
})

test('a single number before the name is taken as the store number, but several numbers are not', () => {
  reads(
    [brand('Orvane Grill')],
    [
      ['4411 ORVANE BOISE ID', 'Orvane Grill'],
      ['4411 22 ORVANE BOISE ID', 'Orvane Grill?'],
      ['ORVANE BOISE ID', 'Orvane Grill?'],
    ],
  )
})

test('the most certain reading wins; an unknown prefix is dropped only if the full text matches no brand', () => {
  reads(
    [brand('Orvane'), brand('Tarnby')],
    [
      ['ORVANE *TARNBY', 'Orvane', 'orvane'],
      ['UNHEARD*TARNBY', 'Tarnby', 'tarnby'],
      ['UNHEARD*TARNBY SOMEWHERE ELSE', 'Tarnby?', 'name_unconfirmed'],
      ['ORVANE PLUMBING*UNHEARD', 'Orvane?', 'name_unconfirmed'],
      ['ORVANE PLUMBING*TARNBY PLUMBING', 'Orvane?', 'name_unconfirmed'],
    ],
  )
})

test('abbreviated words are expanded if that yields a longer name', () => {
  reads(
    [
      brand('Orvane Coffee Works'),
      brand('Orvane'),
      brand('Old Tarn By The Long Bakery'),
      brand('Old Tarn By The Coffee'),
    ],
    [
      ['ORVANE COF WORKS 12', 'Orvane Coffee Works', 'orvane cof works'],
      ['ORVANE COF 12', 'Orvane'],
      ['OLD TARN BY THE COF 12', 'Old Tarn By The Coffee', 'old tarn by the cof'],
      ['OLD TARN BY THE LONG BKRY', 'Old Tarn By The Long Bakery?', 'name_unconfirmed'],
      ['POS PURCHASE ORVANE COF WORKS', 'Orvane Coffee Works'],
    ],
  )
  reads(
    [brand('Orvane'), brand('Orvane Coffee Works', { domains: [] })],
    [['ORVANE COF WORKS SUNDAY CLUB', 'Orvane?', 'name_unconfirmed']],
  )
})

test("a name may be truncated at a network's or till's length limit, before a number, or at the end", () => {
  const brands = [brand('Harrowgate Outfitters'), brand('Velmora Ostrich Fennimore'), brand('Copperkettle')]
  reads(
    [...brands, brand('Copperkettle Freshwater')],
    [
      ['HARROWGATE OUTF BOISE ID', 'Harrowgate Outfitters'],
      ['HARROWGATE OUT BOISE ID', 'Harrowgate Outfitters?'],
      ['VELMORA OSTRICH BOISE ID', 'Velmora Ostrich Fennimore?'],
      ['HARROWGATE OUTFI BOISE ID S115513313143759', 'Harrowgate Outfitters'],
      ['HARROWGATE OUTFI CLUB BOISE ID', 'Harrowgate Outfitters?'],
      ['HARROWGATE OUTFITT BOISE ID', 'Harrowgate Outfitters'],
      ['HARROWGATE OUTFI', 'Harrowgate Outfitters'],
      ['HARROWGATE OUTFI 0412 BOISE ID', 'Harrowgate Outfitters'],
      ['HARROWGATE OUTFI0412', 'Harrowgate Outfitters'],
      ['HARROWGATE OUTFI 03/04 PURCHASE BOISE ID', 'Harrowgate Outfitters'],
      ['HARROWGATE OUTFI *ABLE', 'Harrowgate Outfitters?'],
      ['SQUIRE *HARROWGATE OUTFI', 'Harrowgate Outfitters?'],
      ['COPPERKETTLE FRESHW', 'Copperkettle Freshwater', 'copperkettle freshw'],
      ['COPPERKETTLE FRESHW0412', 'Copperkettle Freshwater'],
      ['COPPERKETTLE FRESHENERS', 'Copperkettle', 'copperkettle'],
      ['COPPERKETTLE 0412', 'Copperkettle', 'copperkettle'],
      ['VELMORA OSTRICH', 'Velmora Ostrich Fennimore?'],
      ['VELMORA OSTRICH FENN', 'Velmora Ostrich Fennimore'],
    ],
  )
})

test('a city run together with the name is treated as the place after it', () => {
  const index = buildBrandIndex([brand('Orvane')])
  const { evidence, score } = matchBrand(index, { merchantDescriptor: 'ORVANEBOISE ID' })
  assert.deepEqual([evidence[0]?.matched, evidence[0]?.kind, score], ['orvane', 'place', 0.96])
})

test('brands that share a name through an alias rank by main name, then by known spellings', () => {
  const elsewhere = (name: string, aliases: readonly string[]) =>
    brand(name, { aliases, domains: [`${name.toLowerCase()}-elsewhere.com`] })
  reads([elsewhere('Target', []), brand('Shell', { aliases: ['Target'] })], [['TARGET 0412', 'Target']])
  reads([elsewhere('Target', ['Orvane']), brand('Shell', { aliases: ['Orvane'] })], [['ORVANE 0412', 'Shell']])
  reads([brand('Orvane Inn'), brand('Orvane', { aliases: ['Orvane Inn'] })], [['ORVANE INN 0412', 'Orvane Inn']])
})

test('uncertain namesakes stay unconfirmed; a name without its trade does not compete even in its state', () => {
  reads(namesakes({ brandUid: 'a' }, { brandUid: 'b' }), [['ORVANE PLUMBING', 'a?', 'name_unconfirmed']])
  reads(
    [brand('Orvane'), brand('Orvane Grill', { countries: ['us-pa'] })],
    [['ORVANE 12', 'Orvane', 'orvane', { state: 'PA' }]],
  )
})

test("a network's length limit applies only to the merchant's field and is at most 26 characters", () => {
  reads(
    [brand('Velmorah Ostrich Fennimore Gardenia'), brand('Harrowgate Outfitters')],
    [
      ['VELMORAH OSTRICH FENNIMORE BOISE ID', 'Velmorah Ostrich Fennimore Gardenia'],
      ['VELMORAH OSTRICH FENNIMORE GARD BOISE ID', 'Velmorah Ostrich Fennimore Gardenia?'],
      ['POS PURCHASE HARROWGATE OUT BOISE ID', 'Harrowgate Outfitters?'],
    ],
  )
})

test('the more certain of two readings wins, or the first one in a tie', () => {
  reads(
    [brand('Qualt'), brand('Tarnby')],
    [
      ['QUALT LAW*TARNBY', 'Tarnby', 'tarnby'],
      ['QUALT LAW*TARNBY PLUMBING', 'Qualt?', 'name_unconfirmed'],
      ['QUALT LAW*UNHEARD', 'Qualt?', 'name_unconfirmed'],
    ],
  )
})

test('a store number ends a name, but a trade does not', () => {
  reads(
    [brand('Orvane'), brand('Orvane 0412 Coffee Works'), brand('Orvane Law Center')],
    [
      ['ORVANE 0412 COF WORKS', 'Orvane', 'orvane'],
      ['ORVANE LAW CTR', 'Orvane Law Center', 'orvane law ctr'],
    ],
  )
})

test('a truncated name beats a whole one if it is more certain, or longer and itself certain', () => {
  reads(
    [brand('Copperkettle'), brand('Copperkettle Freshwater')],
    [
      ['COPPERKETTLE FRESHW', 'Copperkettle Freshwater'],
      ['COPPERKETTLE FRESHW RIVERBEND', 'Copperkettle?', 'name_ambiguous'],
    ],
  )
  reads(
    [brand('Copperkettle'), brand('Copperkettle Law Freshwater')],
    [['COPPERKETTLE LAW FRESHW RIVERBEND', 'Copperkettle Law Freshwater?']],
  )
  reads([brand('Harrowgate Outfitters')], [['POS PURCHASE HARROWGATE OUTFITT BOISE ID', 'Harrowgate Outfitters']])
})

test("several plain words are distinctive only if they are a well-known brand's own name", () => {
  const daysInn = brand('Days Inn', { domains: ['wyndhamhotels.com'], mccs: ['7011'] })
  const kind = (listed: BrandFacts, merchantDescriptor: string) =>
    matchBrand(buildBrandIndex([listed]), { merchantDescriptor }).evidence[0]?.kind
  assert.equal(kind(daysInn, 'DAYS INN ON EAST BOISE ID'), 'place')
  assert.equal(kind({ ...daysInn, domains: ['days.example'] }, 'DAYS INN ON EAST BOISE ID'), 'open')
  const spelled = brand('A&W', { domains: ['awrestaurants.com'] })
  assert.equal(kind(spelled, 'A AND W ON EAST BOISE ID'), 'place')
  assert.equal(kind(spelled, 'A AND W FAMILY ON EAST BOISE ID'), 'open')
})

test('namesakes rank by main name, then by known spellings, with those confirmed by website first', () => {
  const lodge = { aliases: ['Orvane Lodge'] }
  reads([brand('Orvane', lodge), brand('Tarnby', lodge)], [['ORVANE LODGE 0412', 'Orvane']])
  reads(
    [brand('**', { brandUid: 'a', aliases: ['Orvane'] }), brand('Tarnby', { aliases: ['Orvane'] })],
    [['ORVANE 0412', 'Tarnby?', 'name_ambiguous']],
  )
  // Each of these brands matches the start of the text: the cinema by its name, the car rental company by its alias.
  const text = 'ALAMO DRAFTHOUSE CINEMA 0412'
  const cinema = (brandUid: string, ...domains: readonly string[]) =>
    brand('Alamo Drafthouse Cinema', { brandUid, domains })
  const rental = (...domains: readonly string[]) => brand('Alamo', { domains, aliases: ['Alamo Drafthouse Cinema'] })
  const known = cinema('known', 'drafthouse.com')
  const namedOnly = cinema('named only')
  const elsewhere = cinema('elsewhere', 'cinema.example')
  reads([known, namedOnly, rental('alamo.com')], [[text, 'known']])
  reads([namedOnly, rental('alamo.com')], [[text, 'Alamo']])
  reads([namedOnly, elsewhere, rental()], [[text, 'named only']])
  reads([elsewhere, rental()], [[text, 'Alamo']])
  reads([elsewhere, rental('alamo.example')], [[text, 'elsewhere']])
})

test('a brand matched by alias wins over one known only by its name', () => {
  reads([brand('Tarnby', { aliases: ['Orvane'] }), brand('Orvane', { domains: [] })], [['ORVANE 0412', 'Tarnby']])
})
