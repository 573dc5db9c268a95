import Type, { type Static } from 'typebox'
import { checkInput, enumField, namedStrictObject, strictObject } from '../../../platform/http/index.ts'
import { percentToPpm, ppmToPercent } from '../../../platform/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CatalogRefusal } from '../errors.ts'
import { uid } from '../feed/file-schema.ts'
import type { Split } from '../net.ts'
import type { Catalog } from '../table/assemble.ts'
import { type AssortmentContent, type EntryTerms, noTerms, sorted } from './content.ts'

// A file of this size has tens of thousands of lines, and every process keeps all publishers' entries in memory.
export const ASSORTMENT_ENTRIES_MAX = 20_000
const WORDING_LENGTH_MAX = 2_000

const categoryId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const carried = Type.Boolean({
  description: 'Whether the publisher carries it. An entry for an offer takes precedence over the entry for its brand.',
})
const percent = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 100, description }))
const terms = {
  carried: Type.Optional(carried),
  fee: percent(
    "The service's percentage of the commission. Set it together with share; if both are omitted, the agreement's split applies.",
  ),
  share: percent("The publisher's percentage of the commission."),
}

// Accepted and ignored in requests, so that responses can be sent back unchanged.
const shown = (length: number, what: string) =>
  Type.Optional(
    Type.String({
      maxLength: length,
      format: 'printable',
      description: `${what} Only in responses; ignored in requests.`,
    }),
  )
const name = shown(255, 'Name in the catalog.')

/** A publisher's changes to the catalog, in files and in the operator API. Absent members take their defaults. */
export const AssortmentSchema = namedStrictObject('Assortment', {
  carries: Type.Optional(enumField(['everything', 'listed'], 'Default for anything without an entry below.')),
  categories: Type.Optional(
    Type.Array(strictObject({ category_id: categoryId, name, carried }), {
      maxItems: ASSORTMENT_ENTRIES_MAX,
      description: 'Entries for categories.',
    }),
  ),
  brands: Type.Optional(
    Type.Array(strictObject({ brand_uid: uid, name, ...terms }), {
      maxItems: ASSORTMENT_ENTRIES_MAX,
      description: 'Entries for brands.',
    }),
  ),
  offers: Type.Optional(
    Type.Array(
      strictObject({
        offer_uid: uid,
        name,
        brand_name: shown(255, 'Name of its brand.'),
        ...terms,
        formatted_description: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: WORDING_LENGTH_MAX,
            format: 'prose',
            description: "The publisher's own wording for the offer.",
          }),
        ),
      }),
      { maxItems: ASSORTMENT_ENTRIES_MAX, description: 'Entries for offers.' },
    ),
  ),
  category_order: Type.Optional(
    Type.Array(categoryId, {
      maxItems: ASSORTMENT_ENTRIES_MAX,
      description: 'Categories that are not listed follow in catalog order.',
    }),
  ),
})
export type AssortmentInput = Static<typeof AssortmentSchema>

const check = checkInput(AssortmentSchema)

/**
 * Parses an assortment file.
 * @throws Problem invalid_input that lists the invalid members; Refusal assortment_invalid
 */
export function readAssortment(value: unknown): AssortmentContent {
  return parseContent(check(value))
}

/** @throws Refusal assortment_invalid */
export function parseContent(input: AssortmentInput): AssortmentContent {
  const { carries = 'everything', categories = [], brands = [], offers = [], category_order: order = [] } = input
  return {
    carriesOthers: carries === 'everything',
    categories: once('categories', categories, (one) => [one.category_id, { ...noTerms, carried: one.carried }]),
    brands: once('brands', brands, (one, at) => [one.brand_uid, termsIn(one, `brands.${at}`)]),
    offers: once('offers', offers, (one, at) => [one.offer_uid, termsIn(one, `offers.${at}`)]),
    categoryOrder: [...once('category_order', order, (id) => [id, true]).keys()],
  }
}

function once<Item, Key, Value>(
  field: string,
  items: readonly Item[],
  toEntry: (item: Item, at: number) => readonly [Key, Value],
): Map<Key, Value> {
  const map = new Map<Key, Value>()
  for (const [key, value] of items.map(toEntry)) {
    if (map.has(key)) throw invalid(field, `contains ${key} twice`)
    map.set(key, value)
  }
  return map
}

type TermsInFile = Omit<NonNullable<AssortmentInput['offers']>[number], 'offer_uid' | 'name' | 'brand_name'>

function termsIn(said: TermsInFile, field: string): EntryTerms {
  const { carried: isCarried = null, formatted_description: wording = null } = said
  if (wording?.trim() === '') throw invalid(field, 'must not have a blank formatted_description')
  const split = splitIn(said, field)
  if (isCarried === null && split === null && wording === null) throw invalid(field, 'changes nothing')
  return { carried: isCarried, split, wording }
}

/** @throws Refusal assortment_invalid */
function splitIn({ fee, share }: TermsInFile, field: string): Split | null {
  if (fee === undefined && share === undefined) return null
  if (fee === undefined || share === undefined) throw invalid(field, 'must have fee and share together')
  const [feePpm, sharePpm] = [percentToPpm(fee), percentToPpm(share)]
  if (feePpm === null || sharePpm === null)
    throw invalid(field, 'must have percentages with at most four decimal places')
  if (feePpm + sharePpm > 1_000_000) throw invalid(field, 'must leave the user a share: fee and share exceed 100%')
  return { feePpm, sharePpm }
}

function invalid(field: string, message: string): Refusal<CatalogRefusal> {
  return new Refusal<CatalogRefusal>('assortment_invalid', `${field} ${message}.`, { field })
}

/** Presents an assortment sorted and without defaults, so that equal contents yield equal text. */
export function presentAssortment({ carriesOthers, categoryOrder, ...said }: AssortmentContent): AssortmentInput {
  return {
    carries: carriesOthers ? 'everything' : 'listed',
    categories: sorted(said.categories).map(([category_id, one]) => ({ category_id, carried: one.carried === true })),
    brands: sorted(said.brands).map(([brand_uid, one]) => ({ brand_uid, ...presentTerms(one) })),
    offers: sorted(said.offers).map(([offer_uid, one]) => ({ offer_uid, ...presentTerms(one) })),
    category_order: [...categoryOrder],
  }
}

/** Adds names from the catalog. An entry whose subject is no longer in the catalog gets no name. */
export function addNames(
  { categories = [], brands = [], offers = [], ...rest }: AssortmentInput,
  catalog: Catalog,
): AssortmentInput {
  const categoryNames = new Map(catalog.categories.map(({ categoryId: id, category }) => [id, category]))
  const named = (found: string | undefined) => (found === undefined ? {} : { name: found })
  const brandNamed = (found: string | undefined) => (found === undefined ? {} : { brand_name: found })
  return {
    ...rest,
    categories: categories.map((one) => ({ ...one, ...named(categoryNames.get(one.category_id)) })),
    brands: brands.map((one) => ({ ...one, ...named(catalog.brands.get(one.brand_uid)?.name) })),
    offers: offers.map((one) => {
      const offer = catalog.offers.get(one.offer_uid)
      const brand = offer === undefined ? undefined : catalog.brands.get(offer.brandUid)
      return { ...one, ...named(offer?.name), ...brandNamed(brand?.name) }
    }),
  }
}

/** Counts the entries. */
export function countEntries(content: AssortmentContent): number {
  return content.categories.size + content.brands.size + content.offers.size + content.categoryOrder.length
}

function presentTerms({ carried: isCarried, split, wording }: EntryTerms): TermsInFile {
  return {
    ...(isCarried === null ? {} : { carried: isCarried }),
    ...(split === null ? {} : { fee: ppmToPercent(split.feePpm), share: ppmToPercent(split.sharePpm) }),
    ...(wording === null ? {} : { formatted_description: wording }),
  }
}
