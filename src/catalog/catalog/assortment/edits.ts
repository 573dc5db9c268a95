import type { Split } from '../net.ts'
import { type AssortmentContent, type EntryTerms, noTerms } from './content.ts'

type Named = {
  readonly categoryIds: readonly number[]
  readonly brandUids: readonly string[]
  readonly offerUids: readonly string[]
}

/**
 * `all` and `only` first clear the `carried` setting of every subject. `without` then sets it to false for the given
 * subjects, `forget` clears it, and all other modes set it to true.
 */
export type CarriageMode = 'all' | 'only' | 'with' | 'without' | 'forget'

/** Changes what is carried. Splits, wording and order stay unchanged. */
export function changeCarriage(content: AssortmentContent, mode: CarriageMode, named: Named): AssortmentContent {
  const begun = mode === 'all' || mode === 'only' ? { ...forgotten(content), carriesOthers: mode === 'all' } : content
  const carried = mode === 'forget' ? null : mode !== 'without'
  return {
    ...begun,
    categories: changed(begun.categories, named.categoryIds, { carried }),
    brands: changed(begun.brands, named.brandUids, { carried }),
    offers: changed(begun.offers, named.offerUids, { carried }),
  }
}

function forgotten({ categories, brands, offers, ...rest }: AssortmentContent): AssortmentContent {
  const forget = <Id>(said: ReadonlyMap<Id, EntryTerms>) => changed(said, [...said.keys()], { carried: null })
  return { ...rest, categories: forget(categories), brands: forget(brands), offers: forget(offers) }
}

type Subjects = Pick<Named, 'brandUids' | 'offerUids'>

/** Sets a split. Null restores the brand's split for an offer, and the agreement's split for a brand. */
export function changeSplit(content: AssortmentContent, named: Subjects, split: Split | null): AssortmentContent {
  const { brands, offers } = content
  return {
    ...content,
    brands: changed(brands, named.brandUids, { split }),
    offers: changed(offers, named.offerUids, { split }),
  }
}

/** Sets the wording of an offer. Null restores the catalog's wording. */
export function changeWording(content: AssortmentContent, offerUid: string, wording: string | null): AssortmentContent {
  return { ...content, offers: changed(content.offers, [offerUid], { wording }) }
}

function changed<Id>(
  said: ReadonlyMap<Id, EntryTerms>,
  ids: readonly Id[],
  change: Partial<EntryTerms>,
): Map<Id, EntryTerms> {
  const map = new Map(said)
  for (const id of ids) {
    const next = { ...(said.get(id) ?? noTerms), ...change }
    if (Object.values(next).every((one) => one === null)) map.delete(id)
    else map.set(id, next)
  }
  return map
}
