import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../test/support/runs.ts'
import { changeIds, closeAccount, openNewAccount, shareAccounts } from './bank-accounts.ts'
import { bringBackPurchase, changePurchase, removePurchase } from './corrections.ts'
import { ControlError } from './errors.ts'
import { readFeed } from './feed.ts'
import { findByAccount, findByToken, findByUser } from './find.ts'
import { draftItem, exchangePublicToken, issuePublicToken, listSharedAccounts } from './linking.ts'
import { breakLogin, freezeFeed, repairLogin } from './logins.ts'
import { findItems } from './payers.ts'
import { listTransactions, makePurchase, postPurchase, refundPurchase, voidPurchase } from './purchases.ts'
import type { Item, Transaction } from './state.ts'
import { openStore } from './store.ts'
import { openWorld, type World } from './world.ts'

async function newWorld(): Promise<World> {
  return openWorld(await openStore(undefined))
}

function link(world: World, clientUserId: string): Item {
  const item = draftItem(world, {
    clientId: 'client-a',
    clientUserId,
    institutionId: 'ins_109508',
    username: 'user_plain',
    products: ['transactions'],
    webhook: null,
    accountFilters: null,
  })
  return exchangePublicToken(world, issuePublicToken(world, { kind: 'new', item }).token)
}

type Copy = { cursor: string; readonly rows: Map<string, Transaction> }

/**
 * Reads the feed like a client that trusts each page: added rows must be new, and modified and removed rows must exist.
 */
function follow(item: Item, copy: Copy, count: number): void {
  for (;;) {
    const page = readFeed(item, copy.cursor, count, null)
    for (const row of page.added) {
      assert.ok(!copy.rows.has(row.transaction_id), 'added means new')
      copy.rows.set(row.transaction_id, row)
    }
    for (const row of page.modified) {
      assert.ok(copy.rows.has(row.transaction_id), 'modified means known')
      copy.rows.set(row.transaction_id, row)
    }
    for (const { transaction_id } of page.removed) assert.ok(copy.rows.delete(transaction_id), 'removed means known')
    copy.cursor = page.nextCursor
    if (!page.hasMore) return
  }
}

type Act = (world: World, item: Item, id: string, amount: number) => unknown

/** Each action is tried on any row in any state. Refused actions must leave no trace. */
const ACTS: Readonly<Record<string, Act>> = {
  buy: (world, { itemId }, _id, amount) => makePurchase(world, { item_id: itemId }, { merchant: 'Fern', amount }),
  hold: (world, { itemId }, _id, amount) =>
    makePurchase(world, { item_id: itemId }, { merchant: 'Fern', amount, pending: true }),
  post: (world, _item, id, amount) => postPurchase(world, id, { amount }),
  postLate: (world, _item, id) => postPurchase(world, id, { late_removal: true, linked: false }),
  removeEarly: (world, _item, id) => postPurchase(world, id, { early_removal: true }),
  refund: (world, _item, id) => refundPurchase(world, id, { pending: true }),
  refundPart: (world, _item, id) => refundPurchase(world, id, { amount: 1 }),
  change: (world, _item, id, amount) => changePurchase(world, id, { amount }),
  void: (world, _item, id) => voidPurchase(world, id),
  remove: (world, _item, id) => removePurchase(world, id),
  bringBack: (world, _item, id) => bringBackPurchase(world, id),
  share: (world, item, _id, amount) =>
    shareAccounts(
      world,
      item,
      item.accounts.filter((_, index) => index !== amount % 2).map(({ accountId }) => accountId),
    ),
  close: (world, item) => closeAccount(world, item, listSharedAccounts(item)[1]?.accountId ?? '', {}),
  open: (world, item) => openNewAccount(world, item, 'checking'),
  changeIds: (world, item) => changeIds(world, item),
  freeze: (world, item) => freezeFeed(world, item, true),
  thaw: (world, item) => freezeFeed(world, item, false),
  break: (world, item) => breakLogin(world, item),
  repair: (world, item) => repairLogin(world, item, 'elsewhere'),
}

const Step = fc.record({
  act: fc.constantFrom('read', 'read', 'buy', 'hold', ...Object.keys(ACTS)),
  row: fc.nat(30),
  amount: fc.integer({ min: 1, max: 99 }),
})

test('after any changes at the bank, a client that reads at any time converges on the current rows', async () => {
  const world = await newWorld()
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, count) => {
      const item = link(world, 'user-1')
      const copy: Copy = { cursor: '', rows: new Map() }
      for (const { act, row, amount } of steps) {
        const ids = [...Object.keys(item.transactions), ...Object.keys(item.removed ?? {})]
        if (act === 'read') follow(item, copy, count)
        else attempt(() => ACTS[act]?.(world, item, ids[row % Math.max(ids.length, 1)] ?? '', amount))
      }
      freezeFeed(world, item, false)
      follow(item, copy, count)
      assert.deepEqual(byId([...copy.rows.values()]), byId(listTransactions(item)))
      const anew: Copy = { cursor: '', rows: new Map() }
      follow(item, anew, count)
      assert.deepEqual(byId([...anew.rows.values()]), byId(listTransactions(item)), 'a reading from the start')
    }),
    { numRuns: runs(120) },
  )
})

test('items can be found by token, account and user while they exist', async () => {
  const world = await newWorld()
  const { state } = world
  const [first, second] = [link(world, 'user-1'), link(world, 'user-1')]
  assert.deepEqual(findByUser(state, 'user-1'), [first, second])
  const account = second.accounts[0]?.accountId ?? ''
  assert.equal(findByAccount(state, account), second)
  assert.deepEqual(findItems(world, { client_user_id: 'user-1', account_id: account }), [second])
  assert.deepEqual(findItems(world, { client_user_id: 'user-2', account_id: account }), [])
  changeIds(world, second)
  assert.equal(findByAccount(state, account), undefined)
  assert.equal(findByAccount(state, second.accounts[0]?.accountId ?? ''), second)
  // Snapshots do not contain the index, so it is rebuilt for a loaded state.
  const read = structuredClone(state)
  assert.equal(findByToken(read, first.accessToken)?.itemId, first.itemId)
  for (const key of ['__proto__', 'constructor', '']) {
    assert.deepEqual(
      [findByToken(state, key), findByAccount(state, key), findByUser(state, key)],
      [undefined, undefined, []],
    )
  }
})

function attempt(act: () => unknown): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
  }
}

function byId(rows: readonly Transaction[]): Transaction[] {
  return rows.toSorted((one, other) => (one.transaction_id < other.transaction_id ? -1 : 1))
}
