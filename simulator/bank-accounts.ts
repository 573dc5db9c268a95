import { openAccount, type SUBTYPES } from './accounts.ts'
import { ControlError } from './errors.ts'
import { announceUpdates, drop, record, recordUpdate, removeLate } from './feed.ts'
import { enterItem, enterRows } from './find.ts'
import { newId } from './ids.ts'
import { getInstitution } from './institutions.ts'
import type { ChangeOptions } from './logins.ts'
import type { Account, Item, StoredTransaction } from './state.ts'
import type { World } from './world.ts'

/** Changes which accounts are shared. An account's rows are added and removed with it. */
export function shareAccounts(world: World, item: Item, accountIds: readonly string[]): void {
  removeLate(item, null)
  for (const account of item.accounts) {
    const shared = accountIds.includes(account.accountId)
    if (shared === account.shared) continue
    account.shared = shared
    for (const { row } of Object.values(item.transactions)) {
      if (row.account_id === account.accountId) record(item, shared ? 'added' : 'removed', row)
    }
  }
  // An item that is still being linked is not indexed until its token is exchanged.
  if (world.state.items[item.itemId] === item) enterRows(world.state, item)
  world.changed()
}

type Closing = ChangeOptions & {
  /** If true, the provider sends the webhook but keeps listing the account. */
  readonly still_listed?: boolean
}

/**
 * Simulates a user closing an account at the bank or revoking consent for it. Unless `still_listed` is set, the account
 * and its rows disappear.
 */
export function closeAccount(world: World, item: Item, accountId: string, { silent, still_listed }: Closing): void {
  if (!item.accounts.some((account) => account.accountId === accountId && account.shared)) {
    throw new ControlError(
      404,
      'ACCOUNT_NOT_FOUND',
      'The item has no shared account with this ID; see GET /_sim/items.',
    )
  }
  if (!still_listed) dropAccount(item, accountId)
  if (silent) recordUpdate(world, item)
  else {
    world.webhooks.send(item, 'ITEM', 'USER_ACCOUNT_REVOKED', { account_id: accountId })
    announceUpdates(world, item)
  }
}

function dropAccount(item: Item, accountId: string): void {
  for (const stored of Object.values(item.transactions)) {
    if (stored.row.account_id === accountId) drop(item, stored)
  }
  item.accounts = item.accounts.filter((account) => account.accountId !== accountId)
  if (item.history !== undefined) {
    item.history.rows = item.history.rows.filter(({ row }) => row.account_id !== accountId)
  }
}

/** Simulates a user opening an account at the bank. The account is shared once the user selects it in update mode. */
export function openNewAccount(world: World, item: Item, subtype: (typeof SUBTYPES)[number]): Account {
  const account = { ...openAccount(getInstitution(item.institutionId), item.username, subtype), shared: false }
  item.accounts.push(account)
  enterItem(world.state, item)
  world.changed()
  world.webhooks.send(item, 'ITEM', 'NEW_ACCOUNTS_AVAILABLE', { error: null })
  return account
}

/**
 * Simulates a system migration at the bank: a single update gives every account and row a new id. Clients can match old
 * to new only by what stays the same: persistent ids, names, masks, amounts and days.
 */
export function changeIds(world: World, item: Item): void {
  if (item.lastSeen !== undefined) {
    throw new ControlError(409, 'BANK_SILENT', 'The bank is silent; ids can change only while the provider can see it.')
  }
  removeLate(item, null)
  const rows = Object.values(item.transactions)
  const accountIds = newIds(item.accounts.map(({ accountId }) => accountId))
  const rowIds = newIds(rows.map(({ row }) => row.transaction_id))
  const rename = (stored: StoredTransaction) => renamed(stored, accountIds, rowIds)
  const shared = new Set(item.accounts.filter((account) => account.shared).map(({ accountId }) => accountId))
  for (const { row } of rows) if (shared.has(row.account_id)) record(item, 'removed', row)
  item.accounts = item.accounts.map((account) => ({ ...account, accountId: toNewId(accountIds, account.accountId) }))
  item.transactions = {}
  for (const old of rows) {
    const stored = rename(old)
    item.transactions[stored.row.transaction_id] = stored
    if (shared.has(old.row.account_id)) record(item, 'added', stored.row)
  }
  // Removed rows get the new account ids but keep their own ids, because restoring a row requires its id.
  const removed = Object.entries(item.removed ?? {}).map(([id, stored]) => [id, rename(stored)] as const)
  item.removed = Object.fromEntries(removed)
  if (item.history !== undefined) item.history.rows = item.history.rows.map(rename)
  enterItem(world.state, item)
  announceUpdates(world, item)
}

type Renaming = ReadonlyMap<string, string>

function newIds(ids: readonly string[]): Renaming {
  return new Map(ids.map((id) => [id, newId()]))
}

function toNewId(ids: Renaming, id: string): string {
  return ids.get(id) ?? id
}

function renamed({ row, refundOf, postedAs }: StoredTransaction, accountIds: Renaming, rowIds: Renaming) {
  const { transaction_id, account_id, pending_transaction_id } = row
  const stored: StoredTransaction = {
    row: {
      ...row,
      transaction_id: toNewId(rowIds, transaction_id),
      account_id: toNewId(accountIds, account_id),
      pending_transaction_id: pending_transaction_id === null ? null : toNewId(rowIds, pending_transaction_id),
    },
    refundOf: refundOf === null ? null : toNewId(rowIds, refundOf),
    ...(postedAs === undefined ? {} : { postedAs: toNewId(rowIds, postedAs) }),
  }
  return stored
}
