import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { parseHost, toRegistrable } from '../text/domains.ts'
import { buildForms } from '../text/tokens.ts'
import { categoryCodes } from './businesses.ts'
import spellings from './spellings.json' with { type: 'json' }
import { commonWords, neutralWords, otherTrades, sharedTrades } from './words.ts'

type Entry = {
  readonly name: string
  readonly domain?: string
  readonly alsoAt?: readonly string[]
  readonly spellings: readonly string[]
  readonly exact?: readonly string[]
  readonly not?: readonly string[]
}
const entries = spellings as readonly Entry[]
const printed = entries.flatMap((entry) =>
  [...entry.spellings, ...(entry.exact ?? [])].map((text) => ({ entry, text, form: buildForms(text)[0] ?? '' })),
)
const toSites = ({ domain, alsoAt = [] }: Entry) => [...(domain === undefined ? [] : [domain]), ...alsoAt]

// A three-letter code identifies a brand only if a processor or a telephone company prints it first.
const shortestSpelling = 4
const headCodes = new Set(['bby', 'cnk', 'ltf', 'sxm', 'vzw'])

describe('the spelling pack', () => {
  it('contains the spellings of several hundred brands', () => {
    assert.ok(entries.length > 600)
    assert.ok(printed.length > 2000)
  })

  it('lists each brand once', () => {
    const keys = entries.map(({ name, domain }) => `${buildForms(name)[0]} ${domain}`)
    assert.deepEqual(repeated(keys), [])
  })

  it('assigns each spelling to only one brand', () => {
    assert.deepEqual(repeated(printed.map(({ form }) => form)), [])
  })

  it("uses no brand's name as a spelling of another brand", () => {
    const named = Map.groupBy(entries, ({ name }) => buildForms(name)[0] ?? '')
    const taken = printed.filter(({ entry, form }) => named.get(form)?.some((other) => other.name !== entry.name))
    assert.deepEqual(
      taken.map(({ entry, text }) => `${entry.name}: ${text}`),
      [],
    )
  })
})

describe('a spelling in the pack', () => {
  it('is neither empty after folding nor too short to begin a name', () => {
    const short = entries.flatMap(({ spellings: texts }) =>
      texts.filter((text) => {
        const form = buildForms(text)[0] ?? ''
        return form.length < shortestSpelling && !headCodes.has(form)
      }),
    )
    assert.deepEqual(short, [])
    assert.deepEqual(
      printed.filter(({ form }) => form.length < 2).map(({ text }) => text),
      [],
    )
  })

  it('is not a common word, a trade or a neutral word', () => {
    const words = [commonWords, neutralWords, otherTrades, sharedTrades]
    const common = printed.filter(({ form }) => words.some((list) => list.has(form)))
    assert.deepEqual(
      common.map(({ text }) => text),
      [],
    )
  })

  it('is not a name that folding already finds', () => {
    const known = printed.filter(({ entry, form }) => buildForms(entry.name).includes(form))
    assert.deepEqual(
      known.map(({ text }) => text),
      [],
    )
  })

  it('is listed under registrable domains, because brands are looked up by them', () => {
    const wrong = entries.flatMap(toSites).filter((site) => {
      const host = parseHost(site)
      return host === null || toRegistrable(host) !== site
    })
    assert.deepEqual(wrong, [])
  })

  it('is never an ignored alias, and every ignored alias is a name that a catalog could list', () => {
    for (const { not = [] } of entries) for (const alias of not) assert.notDeepEqual(buildForms(alias), [], alias)
    const both = entries.filter(({ spellings: texts, not = [] }) => {
      const ignored = new Set(not.flatMap(buildForms))
      return texts.some((text) => buildForms(text).some((form) => ignored.has(form)))
    })
    assert.deepEqual(
      both.map(({ name }) => name),
      [],
    )
  })
})

const usual = [
  { tag: 'amenity/fast_food', code: '5814' },
  { tag: 'amenity/restaurant', code: '5812' },
  { tag: 'amenity/cafe', code: '5814' },
  { tag: 'amenity/fuel', code: '5541' },
  { tag: 'amenity/fuel', code: '5542' },
  { tag: 'shop/supermarket', code: '5411' },
  { tag: 'shop/convenience', code: '5499' },
  { tag: 'shop/wholesale', code: '5300' },
  { tag: 'amenity/pharmacy', code: '5912' },
  { tag: 'shop/department_store', code: '5311' },
  { tag: 'shop/clothes', code: '5651' },
  { tag: 'shop/shoes', code: '5661' },
  { tag: 'shop/doityourself', code: '5200' },
  { tag: 'shop/electronics', code: '5732' },
  { tag: 'shop/pet', code: '5995' },
  { tag: 'shop/car_parts', code: '5533' },
  { tag: 'tourism/hotel', code: '7011' },
  { tag: 'amenity/car_rental', code: '7512' },
  { tag: 'travel/airline', code: '4511' },
  { tag: 'transport/rideshare', code: '4121' },
  { tag: 'amenity/cinema', code: '7832' },
  { tag: 'leisure/fitness_centre', code: '7997' },
  { tag: 'shop/mobile_phone', code: '4814' },
  { tag: 'online/streaming', code: '4899' },
]
const foreign = [
  { tag: 'travel/airline', code: '8021', who: 'a dentist' },
  { tag: 'amenity/fuel', code: '8011', who: 'a doctor' },
  { tag: 'shop/clothes', code: '5541', who: 'a gas station' },
  { tag: 'amenity/fast_food', code: '7011', who: 'a hotel' },
  { tag: 'shop/electronics', code: '5462', who: 'a bakery' },
]
describe('the category pack', () => {
  it('lists only four-digit category codes, each once', () => {
    for (const [tag, codes] of Object.entries(categoryCodes)) {
      assert.ok(codes.length > 0, tag)
      for (const code of codes) assert.match(code, /^\d{4}$/, tag)
      assert.deepEqual(repeated(codes), [], tag)
    }
  })

  it('lists general codes, not those of individual airlines, car rental companies and hotels', () => {
    const own = Object.values(categoryCodes).flatMap((codes) =>
      codes.filter((code) => code >= '3000' && code <= '3999'),
    )
    assert.deepEqual(own, [])
  })

  it('has codes for every kind of shop that has brands in the United States', async () => {
    const index = new URL('../../../../node_modules/name-suggestion-index/dist/json/nsi.min.json', import.meta.url)
    const { nsi } = JSON.parse(await readFile(index, 'utf8')) as {
      nsi: Record<string, { items?: readonly Suggestion[] }>
    }
    const kinds = Object.entries(nsi).filter(
      ([path, { items = [] }]) => path.startsWith('brands/') && items.some(isMet),
    )
    assert.ok(kinds.length > 100)
    const tags = kinds.map(([path]) => path.slice('brands/'.length))
    assert.deepEqual(
      tags.filter((tag) => getCodes(tag).length === 0),
      [],
    )
  })

  for (const { tag, code } of usual) {
    it(`finds ${tag} under ${code}`, () => {
      assert.ok(getCodes(tag).includes(code))
    })
  }

  for (const { tag, code, who } of foreign) {
    it(`distinguishes ${who} from ${tag}`, () => {
      assert.ok(!getCodes(tag).includes(code))
    })
  }
})

type Suggestion = { readonly locationSet?: { readonly include?: readonly unknown[] } }

function isMet({ locationSet }: Suggestion): boolean {
  const include = locationSet?.include ?? []
  return include.includes('us') || include.includes('001')
}

const getCodes = (tag: string) => categoryCodes[tag] ?? []

function repeated(texts: readonly string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].filter(([, same]) => same.length > 1).map(([text]) => text)
}
