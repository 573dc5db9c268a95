import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFeed, type Row } from '../feed-support.ts'
import { openReceiver } from '../test-support.ts'

type Account = {
  readonly account_id: string
  readonly name: string
  readonly mask: string | null
  readonly subtype: string
  readonly persistent_account_id?: string
}
type Shown = { readonly accounts: readonly Account[]; readonly opened?: Account }
type Feed = Awaited<ReturnType<typeof openFeed>>

const readAccounts = async ({ call }: Feed) =>
  (await call<{ accounts: Account[] }>('/accounts/get')).body.accounts.map((account) => account)

test('a closed account disappears with its rows, and other accounts remain', async (t) => {
  const receiver = await openReceiver(t)
  const feed = await openFeed(t, { webhook: receiver.url })
  const [card, other] = await readAccounts(feed)
  const gone = await feed.buy({ account_id: card?.account_id })
  const kept = await feed.buy({ account_id: other?.account_id })
  await feed.read()
  await feed.toItem('close-account', { account_id: card?.account_id })
  assert.ok((await readAccounts(feed)).every(({ account_id }) => account_id !== card?.account_id))
  assert.deepEqual((await feed.read()).removed, [gone.transaction_id])
  assert.deepEqual(feed.ids(), [kept.transaction_id])
  const sent = (await receiver.next()).content
  assert.deepEqual([sent['webhook_code'], sent['account_id']], ['USER_ACCOUNT_REVOKED', card?.account_id])
  assert.ok(!('error' in sent))
  assert.equal((await feed.fault(gone, 'bring-back')).error_code, 'TRANSACTION_NOT_FOUND')
  const again = await feed.control(`items/${feed.item.item_id}/close-account`, { account_id: card?.account_id })
  assert.deepEqual([again.status, again.body.error_code], [404, 'ACCOUNT_NOT_FOUND'])
})

test('a silently closed account disappears without a webhook', async (t) => {
  const receiver = await openReceiver(t)
  const feed = await openFeed(t, { webhook: receiver.url })
  const gone = await feed.buy()
  await feed.read()
  await feed.toItem('close-account', { account_id: gone.account_id, silent: true })
  await feed.toItem('open-account')
  assert.equal((await receiver.next()).content['webhook_code'], 'NEW_ACCOUNTS_AVAILABLE')
  assert.deepEqual((await feed.read()).removed, [gone.transaction_id])
})

test('a new account is announced but not shared until the user selects it', async (t) => {
  const feed = await openFeed(t)
  const before = await readAccounts(feed)
  const { opened, accounts } = await feed.toItem<Shown>('open-account', { subtype: 'savings' })
  assert.equal(opened?.subtype, 'savings')
  assert.equal(accounts.length, before.length)
  assert.deepEqual(await readAccounts(feed), before)
  const wish = { account_id: opened?.account_id, merchant: 'Fern Foods', amount: 3 }
  assert.equal((await feed.control('purchases', wish)).body.error_code, 'PAYER_NOT_FOUND')
})

test('an id change arrives in a single update and leaves the content of the rows unchanged', async (t) => {
  const feed = await openFeed(t, { institution: 'ins_127287' })
  const [posted, pending, held] = [
    await feed.buy(),
    await feed.buy({ pending: true }),
    await feed.buy({ pending: true }),
  ]
  const tied = await feed.verb<Row>(pending, 'post', { amount: 22 })
  await feed.read()
  const [accounts, rows] = [await readAccounts(feed), [...feed.copy.values()]]
  await feed.toItem('change-ids')

  const page = await feed.read()
  assert.deepEqual(page.removed.sort(), [posted, tied, held].map((row) => row.transaction_id).sort())
  const plain = ({ transaction_id: _id, account_id: _account, ...row }: Row) => row
  assert.deepEqual([...feed.copy.values()].map(plain), rows.map(plain))
  const renamed = await readAccounts(feed)
  const lasting = ({ name, mask, persistent_account_id }: Account) => [name, mask, persistent_account_id]
  assert.deepEqual(renamed.map(lasting), accounts.map(lasting))
  const known = new Set(accounts.map(({ account_id }) => account_id))
  assert.ok(renamed.every(({ account_id }) => !known.has(account_id)))
  assert.ok([...feed.copy.values()].every((row) => renamed.some(({ account_id }) => account_id === row.account_id)))
})

test('after an id change, rows can still be posted, refunded and restored', async (t) => {
  const feed = await openFeed(t)
  const removed = await feed.buy()
  await feed.verb(removed, 'remove')
  const bought = await feed.buy({ amount: 20 })
  await feed.verb(bought, 'refund', { amount: 5 })
  const early = await feed.buy({ pending: true })
  await feed.verb(early, 'post', { early_removal: true })
  await feed.toItem('change-ids')
  await feed.read()
  const now = [...feed.copy.values()].find(({ amount }) => amount === 20)
  assert.ok(now !== undefined)
  assert.equal((await feed.verb<Row>(now, 'refund')).amount, -15)
  const accountId = (await readAccounts(feed))[0]?.account_id
  assert.equal((await feed.verb<Row>(removed, 'bring-back')).account_id, accountId)
  assert.equal((await feed.verb<Row>(early, 'post')).account_id, accountId)
  assert.equal((await feed.buy({ account_id: accountId })).account_id, accountId)
  assert.equal((await feed.read()).added.length, 4)
})

test('ids cannot change while the bank is silent', async (t) => {
  const feed = await openFeed(t)
  await feed.toItem('freeze', { frozen: true })
  const answer = await feed.control(`items/${feed.item.item_id}/change-ids`)
  assert.deepEqual([answer.status, answer.body.error_code], [409, 'BANK_SILENT'])
})
