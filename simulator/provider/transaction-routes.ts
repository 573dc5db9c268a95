import Type from 'typebox'
import { presentAccount } from '../accounts.ts'
import { playDynamicUser } from '../dynamic-user.ts'
import { ProviderError } from '../errors.ts'
import { announceUpdates, getUpdateStatus, getVisible, readFeed, removeLate, type SyncPage } from '../feed.ts'
import { getItemByToken } from '../items.ts'
import { listSharedAccounts } from '../linking.ts'
import { refuseWhenBroken } from '../logins.ts'
import { collectHistory, isReady } from '../past.ts'
import type { Transaction } from '../state.ts'
import type { World } from '../world.ts'
import { type App, call } from './door.ts'

const access_token = Type.String()

const SYNC = {
  access_token,
  cursor: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()])),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  options: Type.Optional(
    Type.Object({
      include_original_description: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
      personal_finance_category_version: Type.Optional(Type.String()),
      days_requested: Type.Optional(Type.Integer({ minimum: 1, maximum: 730 })),
      account_id: Type.Optional(Type.String()),
    }),
  ),
}
const DEFAULT_COUNT = 100
/** The page for an item whose first rows are not ready yet. It has no cursor. */
const NOTHING_YET: SyncPage = { added: [], modified: [], removed: [], nextCursor: '', hasMore: false }

export function transactionRoutes(app: App, world: World): void {
  app.post('/transactions/sync', { schema: { body: call(SYNC) } }, async (request) => {
    const { cursor, count = DEFAULT_COUNT, options = {} } = request.body
    const item = getItemByToken(world, request.body.access_token)
    refuseWhenBroken(item)
    const accountId = options.account_id ?? null
    if (accountId !== null && !listSharedAccounts(item).some((account) => account.accountId === accountId)) {
      throw new ProviderError('INVALID_ACCOUNT_ID', 'options.account_id is unknown or gone')
    }
    const page = isReady(item) ? readFeed(item, cursor ?? '', count, accountId) : NOTHING_YET
    if (!item.syncCalled) {
      item.syncCalled = true
      world.changed()
    }
    const show = (row: Transaction) => presentTransaction(row, options.include_original_description ?? false)
    const busy = new Set(Object.values(getVisible(item).transactions).map(({ row }) => row.account_id))
    const accounts = listSharedAccounts(item).filter((account) => busy.has(account.accountId))
    const answer = {
      transactions_update_status: getUpdateStatus(item),
      accounts: accounts.map((account) => presentAccount(account, item)),
      added: page.added.map(show),
      modified: page.modified.map(show),
      removed: page.removed,
      next_cursor: page.nextCursor,
      has_more: page.hasMore,
    }
    // The history does not advance between the pages of an update, because clients could then never reach its end.
    if (!page.hasMore) collectHistory(world, item)
    return answer
  })

  app.post('/transactions/refresh', { schema: { body: call({ access_token }) } }, async (request) => {
    const item = getItemByToken(world, request.body.access_token)
    refuseWhenBroken(item)
    removeLate(item, null)
    playDynamicUser(world, item)
    announceUpdates(world, item)
    return {}
  })
}

/** Omits the original description unless requested, because it might contain people's names. */
function presentTransaction(row: Transaction, withOriginal: boolean) {
  return withOriginal ? row : { ...row, original_description: null }
}
