import { checkSecret } from '../../simulator/credentials.ts'
import { put, readFeed } from '../../simulator/feed.ts'
import { INSTITUTIONS } from '../../simulator/institutions.ts'
import { draftItem } from '../../simulator/linking.ts'
import type { Account, Item } from '../../simulator/state.ts'
import { openStore } from '../../simulator/store.ts'
import { buildRow } from '../../simulator/transactions.ts'
import { openWorld, toDay, type World } from '../../simulator/world.ts'
import { BRANDS, buildBrandName, buildBrandSite } from './catalog.ts'

/** An item in the simulator's snapshot, with the data that the service needs to link it. */
export type SimulatedItem = {
  readonly itemId: string
  readonly accessToken: string
  readonly account: Account
  readonly institution: { readonly id: string; readonly name: string }
  /** The feed position of the last read; null if it was never read. */
  readonly cursor: string | null
  /** The number of rows after the cursor. */
  readonly unread: number
}

type SimulatedItems = {
  readonly count: number
  readonly client: { readonly clientId: string; readonly secret: string }
  readonly webhook: string
  /** The total number of rows per item. `countUnread` returns how many of them are unread. */
  readonly rows: number
  readonly countUnread: (number: number) => number
  /** True if the login is broken. */
  readonly isBroken: (number: number) => boolean
}

/** Writes a snapshot for a simulator that is started later. Reading items does not change the snapshot. */
export async function writeSimulatedItems(file: string, wanted: SimulatedItems): Promise<SimulatedItem[]> {
  const store = await openStore(file)
  const world = openWorld(store)
  checkSecret(world, wanted.client.clientId, wanted.client.secret)
  const items = Array.from({ length: wanted.count }, (_, number) => simulate(world, wanted, number))
  store.changed()
  await store.flush()
  return items
}

function simulate(world: World, wanted: SimulatedItems, number: number): SimulatedItem {
  const bank = INSTITUTIONS[number % INSTITUTIONS.length]
  if (bank === undefined) throw new Error('there are no institutions')
  const item = draftItem(world, {
    clientId: wanted.client.clientId,
    clientUserId: `user-${number}`,
    institutionId: bank.id,
    username: `login-${number}`,
    products: ['transactions'],
    webhook: wanted.webhook,
    accountFilters: null,
  })
  const account = onlyAccount(item, number)
  const unread = wanted.countUnread(number)
  let cursor: string | null = null
  for (let index = 0; index < wanted.rows; index++) {
    if (index === wanted.rows - unread && index > 0) cursor = findEnd(item)
    put(item, {
      row: buildRow(buildPurchase(number * wanted.rows + index), account, toDay(world.now())),
      refundOf: null,
    })
  }
  if (unread === 0) cursor = findEnd(item)
  item.syncCalled = true
  if (wanted.isBroken(number)) item.error = LOGIN_REQUIRED
  world.state.items[item.itemId] = item
  const { itemId, accessToken } = item
  return { itemId, accessToken, account, institution: { id: bank.id, name: bank.name }, cursor, unread }
}

/** Gives the item a single account that cannot be mistaken for another login's. */
function onlyAccount(item: Item, number: number): Account {
  const [first] = item.accounts
  if (first === undefined) throw new Error('the login has no account')
  const account = { ...first, mask: String(number % 10_000).padStart(4, '0') }
  item.accounts = [account]
  return account
}

function findEnd(item: Item): string {
  return readFeed(item, 'now', 1, null).nextCursor
}

/** Builds a purchase. Three in five are at brands with offers. */
function buildPurchase(number: number) {
  const brand = (number * 31) % BRANDS
  const merchant = number % 5 < 3 ? buildBrandName(brand) : `Unlisted Trader ${number % 997}`
  return {
    merchant,
    ...(number % 5 < 3 ? { website: buildBrandSite(brand) } : {}),
    amount: (1_000 + ((number * 37) % 15_000)) / 100,
    mcc: '5999',
    location: { city: 'New York', region: 'NY', postal_code: '10001', country: 'US' },
  }
}

const LOGIN_REQUIRED = {
  error_type: 'ITEM_ERROR',
  error_code: 'ITEM_LOGIN_REQUIRED',
  error_message: 'the login details of this item have changed',
  display_message: null,
}
