import { catalogPublicRoutes, catalogRoutes, importCatalog } from '../../src/catalog/catalog/index.ts'
import type { Database } from '../../src/platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../src/platform/ids.ts'
import { guarded, openRoutes } from './affiliate-world.ts'

/** Sets up the catalog routes with transactions that the test invents. */
export async function openCatalog(name: string) {
  const brandOfTransaction = new Map<string, string>()
  const usedUp = new Map<UserId | undefined, readonly string[]>()
  const activated = new Map<UserId | undefined, readonly string[]>()
  const place = await openRoutes(name, async (app, parts) => {
    catalogPublicRoutes(app, parts)
    const lookUp = async (_reader: unknown, publisherId: PublisherId, transactionId: TransactionId) =>
      brandOfTransaction.get(`${publisherId} ${transactionId}`) ?? null
    const offersOfUser = async (_reader: unknown, _publisher: unknown, userId: UserId) => ({
      usedUp: new Set(usedUp.get(userId)),
      activated: new Set(activated.get(userId)),
    })
    const given = { ...parts, brandOfTransaction: lookUp, offersOfUser }
    await guarded(app, parts, (inner) => catalogRoutes(inner, given))
  })
  const load = async (file: object): Promise<void> => {
    await importText(place.db, file)
    await place.catalog.refresh()
  }
  return { ...place, brandOfTransaction, usedUp, activated, load }
}

type Options = Parameters<typeof importCatalog>[2]

export const importText = (db: Database, file: object | string, options: Options = {}) =>
  importCatalog(db, { format: 'json', text: typeof file === 'string' ? file : JSON.stringify(file, null, 1) }, options)

/** An offer as it appears in catalog files. Tests add the fields that matter to them. */
export const offer = (name: string, more: object = {}) => ({
  name,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate: 5 },
  ...more,
})

export const CATEGORIES = [
  { category_id: 1, category: 'GROCERY' },
  { category_id: 2, category: 'ELECTRONICS' },
]
