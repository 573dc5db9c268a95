import { announceUpdates, getUpdateStatus, isHidden, put } from './feed.ts'
import { GOOD_USERNAMES, generateHistory } from './good-user.ts'
import { getInstitution } from './institutions.ts'
import type { Account, History, Item, StoredTransaction } from './state.ts'
import { buildRow } from './transactions.ts'
import { toDay, type World } from './world.ts'

/**
 * The history of some users from before their login was linked. The provider reads it in steps: at first nothing is
 * ready, then the newest days, then everything. Other users have no history, so their items are ready immediately.
 */

export const HISTORY_USERNAME = 'user_history'

/** The provider's default if a client does not request a range. */
export const DEFAULT_DAYS = 90
const INITIAL_DAYS = 30
const DAY_MS = 86_400_000

const PURCHASES = 40
const OLDEST_DAYS = 300
const MERCHANTS = [
  { merchant: 'Fern Foods', website: 'fernfoods.example', category: 'FOOD_AND_DRINK' },
  { merchant: 'Hillside Market', category: 'FOOD_AND_DRINK', location: { city: 'Springfield', postal_code: '62701' } },
  { merchant: 'Corner Coffee', category: 'FOOD_AND_DRINK' },
  { merchant: 'Walmart', website: 'walmart.com' },
  { merchant: 'Maple Books', website: 'maplebooks.example' },
  { merchant: 'Northgate Fuel', category: 'TRANSPORTATION' },
  { merchant: 'Lantern Cinema', category: 'ENTERTAINMENT' },
  { merchant: 'Target', website: 'target.com' },
]

type Linked = Pick<Item, 'institutionId' | 'username' | 'accounts'>

/** Creates the history of a user; null if they have none. */
export function createHistory(
  { institutionId, username, accounts }: Linked,
  linkedAt: Date,
  daysRequested: number,
): History | null {
  if (username === HISTORY_USERNAME) {
    const card = accounts.find(({ type }) => type === 'credit') ?? accounts[0]
    return { status: 'NOT_READY', rows: generatePurchases(card, linkedAt, daysRequested) }
  }
  if (!GOOD_USERNAMES.includes(username)) return null
  const { showsPending } = getInstitution(institutionId)
  const dayBefore = (days: number): string => subtractDays(linkedAt, days)
  return { status: 'NOT_READY', rows: generateHistory(accounts, { daysRequested, showsPending, dayBefore }) }
}

/** Generates the same purchases for everyone who signs in with this username, relative to the day of the link. */
function generatePurchases(account: Account | undefined, linkedAt: Date, daysRequested: number): StoredTransaction[] {
  const rows: StoredTransaction[] = []
  for (let index = 0; index < PURCHASES; index++) {
    // Generated oldest first. The newest is three days old.
    const daysAgo = OLDEST_DAYS - Math.floor((index * (OLDEST_DAYS - 3)) / (PURCHASES - 1))
    const merchant = MERCHANTS[index % MERCHANTS.length]
    if (account === undefined || merchant === undefined || daysAgo > daysRequested) continue
    const amount = (500 + ((index * 737) % 9500)) / 100
    rows.push({ row: buildRow({ ...merchant, amount }, account, subtractDays(linkedAt, daysAgo)), refundOf: null })
  }
  return rows
}

/** Advances the history by one step, if any is left and the bank is reachable, and announces it by webhook. */
export function collectHistory(world: World, item: Item): void {
  const { history } = item
  if (history === undefined || isHidden(item)) return
  const initial = history.status === 'NOT_READY'
  const since = subtractDays(new Date(item.createdAt), INITIAL_DAYS)
  const ready = history.rows.filter(({ row }) => !initial || row.date >= since)
  if (initial) {
    item.history = { status: 'INITIAL_UPDATE_COMPLETE', rows: history.rows.filter((stored) => !ready.includes(stored)) }
  } else delete item.history
  for (const stored of ready) put(item, stored)
  // The legacy webhooks are still sent along with the current one.
  const code = initial ? 'INITIAL_UPDATE' : 'HISTORICAL_UPDATE'
  world.webhooks.send(item, 'TRANSACTIONS', code, { new_transactions: ready.length, error: null })
  announceUpdates(world, item)
}

export function isReady(item: Item): boolean {
  return getUpdateStatus(item) !== 'NOT_READY'
}

export function subtractDays(day: Date, days: number): string {
  return toDay(new Date(day.getTime() - days * DAY_MS))
}
