import { PartnerError } from '../partner-error.ts'
import { lookUp } from '../state.ts'
import type { World } from '../world.ts'
import { formatCents } from './money.ts'
import { type OrderContent, type Product, toKey } from './state.ts'

const RANGE = { denominations: null, smallest: 100, largest: 200_000, discountPercent: 4, inStock: true } as const

/**
 * The supplier's listed products. Unlisted codes are sold too, with the properties of `RANGE`, so that a catalog needs
 * no setup.
 */
const LISTED: readonly Product[] = [
  {
    ...RANGE,
    product: 'coffee-usd',
    name: 'Example Coffee',
    currency: 'USD',
    denominations: [500, 1000, 2500, 5000],
  },
  { ...RANGE, product: 'fashion-usd', name: 'Example Fashion', currency: 'USD', smallest: 1_000, discountPercent: 8 },
  { ...RANGE, product: 'games-usd', name: 'Example Games', currency: 'USD', denominations: [2000, 6000] },
]

/** Returns the listed products and those changed through the controls. */
export function listProducts({ state }: World): readonly Product[] {
  const changed = Object.values(state.giftCards.products)
  return [...LISTED.filter(({ product }) => !changed.some((one) => one.product === product)), ...changed]
}

function getProduct(world: World, product: string): Product {
  const changed = lookUp(world.state.giftCards.products, toKey(product))
  return (
    changed ?? LISTED.find((one) => one.product === product) ?? { ...RANGE, product, name: product, currency: 'USD' }
  )
}

export function changeProduct(world: World, product: string, change: Partial<Product>): Product {
  const changed = { ...getProduct(world, product), ...change }
  world.state.giftCards.products[toKey(product)] = changed
  world.changed()
  return changed
}

/** Rejects a product or denomination that is not sold or is out of stock. */
export function checkContent(world: World, { product: name, currency, lines }: OrderContent): Product {
  const product = getProduct(world, name)
  if (currency !== product.currency)
    throw new PartnerError(422, 'currency_unsupported', `this product is sold in ${product.currency} only`)
  for (const { denomination } of lines) {
    const { denominations, smallest, largest } = product
    const isSold = denominations?.includes(denomination) ?? (denomination >= smallest && denomination <= largest)
    if (!isSold)
      throw new PartnerError(422, 'denomination_unavailable', `a card of ${formatCents(denomination)} is not sold`)
  }
  if (!product.inStock || lines.some(({ denomination }) => denomination % 100 === OUT_OF_STOCK)) throw outOfStock()
  return product
}

/** The cents of denominations that are never in stock. README.md lists them all. */
const OUT_OF_STOCK = 1

export function outOfStock(): PartnerError {
  return new PartnerError(422, 'out_of_stock', 'the cards are out of stock')
}
