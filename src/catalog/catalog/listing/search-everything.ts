import type { Day } from '../../../platform/calendar.ts'
import { carryWholeCatalog } from '../assortment/assortment.ts'
import type { Brand } from '../catalog.ts'
import type { Catalog } from '../table/assemble.ts'
import { everything, selectBrands } from './select-brands.ts'
import { anyUser } from './user-filter.ts'

/** Searches all live brands in the catalog, ranked the way publishers' lists are: best match first. */
export function searchBrands(catalog: Catalog, text: string, day: Day, limit: number): readonly Brand[] {
  const context = { assortment: carryWholeCatalog(catalog, { feePpm: 0, sharePpm: 0 }), day, personal: anyUser }
  const selection = selectBrands(context, { ...everything, searchText: text })
  return [...selection.places.slice(0, limit)].flatMap((place) => {
    const { block, brand } = selection.brandAt(place)
    return block.brands[brand] ?? []
  })
}
