import { readFile } from 'node:fs/promises'
import { parseBrand } from '../../cli/match/brands.ts'
import type { BrandFacts } from '../../src/catalog/merchants/index.ts'
import { yieldSmallBusinesses } from './names.ts'
import { foldText } from './rows.ts'

// Brand names, sites and categories come from name-suggestion-index (BSD-3-Clause), read from the installed package so
// that none of its data is copied here. online.json adds online-only brands, which that index does not collect.
const PACKAGE = new URL('../../node_modules/name-suggestion-index/dist/', import.meta.url)
const ONLINE = new URL('online.json', import.meta.url)

// Nobody makes a purchase at a parcel locker, and lockers share their names with shops.
const LOCKERS = 'brands/amenity/parcel_locker'

type Members = Readonly<Record<string, unknown>>
type Item = {
  readonly displayName: string
  readonly id: string
  readonly locationSet: { readonly include?: readonly Place[]; readonly exclude?: readonly Place[] }
  readonly matchNames?: readonly string[]
  readonly tags: Readonly<Record<string, string>>
}
/** A region code, or a circle given as longitude, latitude and radius. */
type Place = string | readonly number[]
type Tagged = Item & { readonly tag: string }
type Sites = Readonly<Record<string, { readonly officialWebsites?: readonly string[] }>>

type Known = { readonly here: readonly BrandFacts[]; readonly elsewhere: readonly BrandFacts[] }

/** Returns the brands found in the United States and, separately, those of the rest of the world. */
export async function readKnownBrands(): Promise<Known> {
  const { nsi } = await readJson<{ nsi: Record<string, { items: Item[] }> }>('json/nsi.min.json')
  const { wikidata } = await readJson<{ wikidata: Sites }>('wikidata/wikidata.min.json')
  const items = Object.entries(nsi).flatMap(([path, { items }]) =>
    path.startsWith('brands/') && path !== LOCKERS
      ? items.map((item): Tagged => ({ ...item, tag: path.slice('brands/'.length) }))
      : [],
  )
  const online = JSON.parse(await readFile(ONLINE, 'utf8')) as Members[]
  const here: BrandFacts[] = online.map((brand) =>
    parseBrand({ ...brand, id: `online:${brand['name']}`, countries: ['us'] }, 'online.json'),
  )
  const elsewhere: BrandFacts[] = []
  const groups = Map.groupBy(items, ({ tags, displayName }) => tags['brand:wikidata'] ?? `name:${displayName}`)
  for (const [key, group] of groups) {
    const local = group.filter(isHere)
    const brand = parseBrand(mergeItems(key, local.length > 0 ? local : group, wikidata), key)
    if (local.length > 0 && /[a-z0-9]/i.test(brand.name)) here.push(brand)
    else elsewhere.push(brand)
  }
  return { here: mergedByName(here), elsewhere }
}

/**
 * Merges brands that the index lists twice, for example as a shop and as a gas station, or under an outdated entry.
 * Brands that share a name but have different sites stay separate.
 */
function mergedByName(brands: readonly BrandFacts[]): BrandFacts[] {
  return [...Map.groupBy(brands, ({ name }) => foldText(name)).values()].flatMap((same) => {
    const bySite = Map.groupBy(same, ({ domains }) => domains[0]?.split('.').slice(-2).join('.') ?? '')
    const without = bySite.get('') ?? []
    if (bySite.size > 2 || (bySite.size === 2 && without.length === 0)) return same
    const [first, ...others] = same.toSorted((a, b) => b.domains.length - a.domains.length)
    return first === undefined ? [] : [others.reduce(joined, first)]
  })
}

function joined(brand: BrandFacts, other: BrandFacts): BrandFacts {
  const both = (of: (brand: BrandFacts) => readonly string[]) => [...new Set([...of(brand), ...of(other)])]
  return {
    ...brand,
    aliases: both(({ aliases }) => aliases),
    domains: both(({ domains }) => domains),
    mccs: both(({ mccs }) => mccs),
    countries: both(({ countries = [] }) => countries),
  }
}

/**
 * Fills a catalog up to `count` brands: the given ones first, then brands from elsewhere, then fictional small
 * businesses.
 */
export function fillUp(
  given: readonly BrandFacts[],
  elsewhere: readonly BrandFacts[],
  count: number,
  without: ReadonlySet<string>,
): BrandFacts[] {
  const names = new Set([...without, ...given.map(({ name }) => foldText(name))])
  const fresh = ({ name }: { readonly name: string }): boolean => {
    const known = names.has(foldText(name))
    names.add(foldText(name))
    return !known
  }
  const brands = [...given, ...elsewhere.filter(fresh)].slice(0, Math.max(count, given.length))
  for (const name of yieldSmallBusinesses()) {
    if (brands.length >= count) break
    if (!fresh({ name })) continue
    const none = { aliases: [], domains: [], merchantIds: [], mccs: [] }
    brands.push({ brandUid: `small:${brands.length}`, name, ...none, countries: ['us'] })
  }
  return brands
}

function isHere({ locationSet }: Item): boolean {
  if (locationSet.exclude?.includes('us')) return false
  return (locationSet.include ?? ['001']).some((place) =>
    typeof place === 'string' ? /^(001|us(-.*)?)$/.test(place) : isPointHere(place),
  )
}

// The bounding box of the mainland. It also covers parts of Canada and Mexico, which does no harm here.
function isPointHere([longitude = 0, latitude = 0]: readonly number[]): boolean {
  return longitude > -125 && longitude < -66 && latitude > 24 && latitude < 49.5
}

/**
 * Combines the items that share a Wikidata entry into one brand. The most frequent name wins, and the others become
 * aliases.
 */
function mergeItems(key: string, items: readonly Tagged[], sites: Sites): Members {
  const names = Map.groupBy(items, pickName)
  const [[name = ''] = []] = [...names].sort(([, a], [, b]) => b.length - a.length)
  const others = items.flatMap(({ tags, displayName, matchNames }) => [
    ...[displayName, tags['name'], tags['brand'], tags['brand:en'], ...(matchNames ?? [])],
  ])
  const site = sites[key]?.officialWebsites?.[0]
  return {
    id: `nsi:${key}`,
    name,
    aliases: [...new Set(others.filter((other) => other !== undefined && other !== name))],
    category: [...new Set(items.map(({ tag }) => tag))],
    countries: items.flatMap(({ locationSet }) =>
      (locationSet.include ?? ['001']).map((place) =>
        typeof place === 'string' ? place : isPointHere(place) ? 'us' : '',
      ),
    ),
    website: site === undefined ? null : parseSite(site),
  }
}

function pickName({ tags, displayName }: Item): string {
  const name = tags['brand'] ?? displayName
  return /[^\p{Script=Latin}\p{Script=Common}]/u.test(name) ? (tags['brand:en'] ?? name) : name
}

function parseSite(address: string): string | null {
  return URL.parse(address)?.hostname.replace(/^www\./, '') ?? null
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(new URL(path, PACKAGE), 'utf8')) as T
}
