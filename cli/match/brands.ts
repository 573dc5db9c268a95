import { type BrandFacts, categoryCodes } from '../../src/catalog/merchants/index.ts'
import { UserError } from '../errors.ts'
import { readText } from '../files.ts'
import { parseObject } from './lines.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Reads brands from a file: one object per line in the format of name-suggestion-index (`{id, name, aliases, category,
 * countries, website}`), or a catalog in the format of `laurel catalog import`.
 */
export async function readBrands(file: string): Promise<BrandFacts[]> {
  const text = await readText(file)
  const catalog = catalogIn(text)
  const brands =
    catalog === null
      ? text.split('\n').flatMap((line, index) => {
          if (line.trim() === '') return []
          const members = parseObject(file, { number: index + 1, text: line })
          return [parseBrand(members, `${file}, line ${index + 1}`)]
        })
      : catalog.filter(isCurrent).map((members, index) => parseBrand(members, `${file}, brand ${index + 1}`))
  return distinct(file, brands)
}

/** @throws UserError with the location if the object is not a brand */
export function parseBrand(members: Members, place: string): BrandFacts {
  const { name, website } = members
  if (typeof name !== 'string' || name.trim() === '') throw new UserError(`${place} has no name.`)
  const uid = members['id'] ?? members['brand_uid']
  const sites = typeof website === 'string' && website !== '' ? [website] : []
  return {
    // Brands in a catalog may lack a uid, in which case their name identifies them.
    brandUid: typeof uid === 'string' || typeof uid === 'number' ? String(uid) : name,
    name,
    aliases: textsIn(members, 'aliases', place),
    domains: [...new Set([...sites, ...textsIn(members, 'domains', place)])],
    merchantIds: textsIn(members, 'merchant_ids', place),
    mccs: [
      ...new Set([
        ...textsIn(members, 'mccs', place),
        // In a catalog, `category` is a category name instead of a list of tags.
        ...(Array.isArray(members['category'])
          ? textsIn(members, 'category', place).flatMap((tag) => categoryCodes[tag] ?? [])
          : []),
      ]),
    ],
    countries: parseCountries(textsIn(members, 'countries', place)),
  }
}

/**
 * Keeps country codes, their subdivisions (`us-pa`) and `001` for the world. Other regions are dropped, so a brand that
 * lists only those is treated as present everywhere.
 */
function parseCountries(regions: readonly string[]): string[] {
  const codes = regions.flatMap(
    (region) => /^(?:001|[a-z]{2}(?:-[a-z]{2})?)(?![a-z])/.exec(region.toLowerCase())?.[0] ?? [],
  )
  return [...new Set(codes)]
}

function textsIn(members: Members, name: string, place: string): string[] {
  const value = members[name] ?? []
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value
  throw new UserError(`${place}: ${name} must be a list of strings.`)
}

/** Returns the brands of a catalog file; null if the text is not a catalog. */
function catalogIn(text: string): Members[] | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('brands' in value)) return null
    return Array.isArray(value.brands) ? value.brands.map((brand: unknown) => brand as Members) : null
  } catch {
    return null
  }
}

function isCurrent(members: Members): boolean {
  return members['retired'] !== true
}

/**
 * Numbers brands with the same name, which are common in large catalogs. Rejects duplicate uids, because a result would
 * be ambiguous.
 */
function distinct(file: string, brands: readonly BrandFacts[]): BrandFacts[] {
  const seen = new Map<string, number>()
  return brands.map((brand) => {
    const times = (seen.get(brand.brandUid) ?? 0) + 1
    seen.set(brand.brandUid, times)
    if (times === 1) return brand
    if (brand.brandUid !== brand.name) throw new UserError(`${file} has the brand ${brand.brandUid} more than once.`)
    return { ...brand, brandUid: `${brand.name} (${times})` }
  })
}
