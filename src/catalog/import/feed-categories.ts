import type { Category } from '../catalog.ts'
import type { BrandInFile, Fault, Path } from '../feed/file-schema.ts'

type Named = { readonly category: string; readonly listed: boolean }

/**
 * The categories after a feed: known ones, listed ones, and those that brands name. Brands are checked at the end,
 * because a later brand may name the category.
 */
export function openCategories(known: readonly Category[]) {
  const named = new Map<number, Named>(
    known.map(({ categoryId, category }) => [categoryId, { category, listed: false }]),
  )
  const used = new Set<number>()
  const asked: { readonly id: number; readonly category: string | undefined; readonly path: Path }[] = []
  const faults: Fault[] = []

  return {
    list(id: number, category: string, path: Path): void {
      if (named.get(id)?.listed) faults.push({ path, message: `stands in the file twice (${id})` })
      named.set(id, { category, listed: true })
      used.add(id)
    },
    ask(brand: Pick<BrandInFile, 'category_id' | 'category'>, path: Path): void {
      const id = Number(brand.category_id)
      used.add(id)
      if (!named.has(id) && brand.category !== undefined) named.set(id, { category: brand.category, listed: false })
      const found = named.get(id)
      const fits = found !== undefined && (brand.category === undefined || brand.category === found.category)
      if (!fits) asked.push({ id, category: brand.category, path })
    },
    /** The number of categories that the feed uses. */
    count: (): number => used.size,
    /** New and renamed categories. */
    changed: (): Category[] => {
      const before = new Map(known.map((one) => [one.categoryId, one.category]))
      return [...named]
        .map(([categoryId, { category }]) => ({ categoryId, category }))
        .filter(({ categoryId, category }) => before.get(categoryId) !== category)
    },
    faults: (): Fault[] => [...faults, ...asked.flatMap(faultOf)],
  }

  function faultOf({ id, category, path }: (typeof asked)[number]): Fault[] {
    const found = named.get(id)?.category
    if (found === undefined) return [{ path: [...path, 'category_id'], message: `names no category (${id})` }]
    if (category === undefined || category === found) return []
    return [{ path: [...path, 'category'], message: `is not the name of category ${id} (${found})` }]
  }
}
