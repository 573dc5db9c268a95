import type { Category } from '../catalog.ts'
import type { BrandInFile, Fault, Path } from '../feed/file-schema.ts'

/**
 * Tracks a feed's categories: existing ones, those declared separately, and those declared by brands. Brands are
 * checked at the end, because a later brand might declare the category.
 */
export function openCategories(known: readonly Category[]) {
  const before = new Map(known.map(({ categoryId, category }) => [categoryId, category]))
  const names = new Map(before)
  const listed = new Set<number>()
  const used = new Set<number>()
  const asked: { readonly id: number; readonly category: string | undefined; readonly path: Path }[] = []
  const faults: Fault[] = []

  return {
    list(id: number, category: string, path: Path): void {
      if (listed.has(id)) faults.push({ path, message: `appears in the file twice (${id})` })
      names.set(id, category)
      listed.add(id)
      used.add(id)
    },
    ask(brand: Pick<BrandInFile, 'category_id' | 'category'>, path: Path): void {
      const id = Number(brand.category_id)
      used.add(id)
      const name = names.get(id) ?? brand.category
      if (name !== undefined) names.set(id, name)
      if (name === undefined || (brand.category ?? name) !== name) asked.push({ id, category: brand.category, path })
    },
    /** Counts the categories that the feed uses. */
    count: (): number => used.size,
    /** Lists new and renamed categories. */
    changed: (): Category[] =>
      [...names]
        .map(([categoryId, category]) => ({ categoryId, category }))
        .filter(({ categoryId, category }) => before.get(categoryId) !== category),
    faults: (): Fault[] => [...faults, ...asked.flatMap(findFaults)],
  }

  function findFaults({ id, category, path }: (typeof asked)[number]): Fault[] {
    const found = names.get(id)
    if (found === undefined) return [{ path: [...path, 'category_id'], message: `is not an existing category (${id})` }]
    if (category === undefined || category === found) return []
    return [{ path: [...path, 'category'], message: `is not the name of category ${id} (${found})` }]
  }
}
