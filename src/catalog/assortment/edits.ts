import type { Split } from '../net.ts'
import { type AssortmentContent, nothingSaid, type Said } from './content.ts'

type Named = {
  readonly categoryIds: readonly number[]
  readonly brandUids: readonly string[]
  readonly offerUids: readonly string[]
}

/**
 * `all` and `only` start over without the carriage of single subjects; `with` and `without` add subjects, and `forget`
 * removes them.
 */
export type CarriageMode = 'all' | 'only' | 'with' | 'without' | 'forget'

/** Changes what is carried. Splits, wording and order stay. */
export function withCarriage(content: AssortmentContent, mode: CarriageMode, named: Named): AssortmentContent {
  const begun = mode === 'all' || mode === 'only' ? { ...forgotten(content), carriesOthers: mode === 'all' } : content
  const carried = mode === 'forget' ? null : mode !== 'without'
  return {
    ...begun,
    categories: withCategories(begun.categories, named.categoryIds, carried),
    brands: changed(begun.brands, named.brandUids, { carried }),
    offers: changed(begun.offers, named.offerUids, { carried }),
  }
}

function forgotten(content: AssortmentContent): AssortmentContent {
  const { brands, offers } = content
  return {
    ...content,
    categories: new Map(),
    brands: changed(brands, [...brands.keys()], { carried: null }),
    offers: changed(offers, [...offers.keys()], { carried: null }),
  }
}

function withCategories(
  categories: AssortmentContent['categories'],
  ids: readonly number[],
  carried: boolean | null,
): Map<number, boolean> {
  const rest = [...categories].filter(([id]) => !ids.includes(id))
  return new Map([...rest, ...(carried === null ? [] : ids.map((id) => [id, carried] as const))])
}

type Subjects = Pick<Named, 'brandUids' | 'offerUids'>

/** Null: as in the agreement, or for an offer as its brand. */
export function withSplit(content: AssortmentContent, named: Subjects, split: Split | null): AssortmentContent {
  const { brands, offers } = content
  return {
    ...content,
    brands: changed(brands, named.brandUids, { split }),
    offers: changed(offers, named.offerUids, { split }),
  }
}

/** Null: the catalog's wording. */
export function withWording(content: AssortmentContent, offerUid: string, wording: string | null): AssortmentContent {
  return { ...content, offers: changed(content.offers, [offerUid], { wording }) }
}

function changed(said: ReadonlyMap<string, Said>, uids: readonly string[], change: Partial<Said>): Map<string, Said> {
  const map = new Map(said)
  for (const uid of uids) {
    const { carried, split, wording } = { ...(said.get(uid) ?? nothingSaid), ...change }
    if (carried === null && split === null && wording === null) map.delete(uid)
    else map.set(uid, { carried, split, wording })
  }
  return map
}
