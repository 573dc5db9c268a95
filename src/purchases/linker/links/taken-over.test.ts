import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { completeLinkPage } from '../../../../test/support/link-page.ts'
import {
  addUser,
  atSimulator,
  type Client,
  createClient,
  link,
  moveToNoon,
  openWorld,
  simulatedItems,
  until,
  type World,
  work,
} from '../../../../test/support/linker-world.ts'
import { addDays, type Day } from '../../../platform/calendar.ts'

// One user unlinks an account and another links it on the same day. No purchase counts for both.

let world: World
let client: Client
let today: Day

before(async () => {
  world = await openWorld('linker_taken_over')
  client = await createClient(world)
  today = moveToNoon(world)
})
after(() => world.close())

const BANK = 'ins_109508'

const NO_DIGITS_BANK = 'ins_810006'

const unlink = (name: string, bank = BANK) => client('DELETE', `/linker/access-token/${name}/${bank}`)

async function linked(name: string, username: string, bank = BANK) {
  assert.equal((await link(world, client, name, username, bank)).status, 200)
  return (await simulatedItems(world)).at(-1)
}

/** Links only the first account of a login. */
async function linkedFirst(name: string, username: string) {
  const { body } = await client('GET', `/linker/link-token/${name}`)
  const public_token = await completeLinkPage(world.simulator.url, body['link_token'], {
    username,
    bank: BANK,
    choose: (index) => index === 0,
  })
  const given = { public_token, institution_id: BANK, institution_name: 'Bank' }
  assert.equal((await client('POST', `/linker/public-token/${name}`, given)).status, 200)
  return (await simulatedItems(world)).at(-1)
}

type Login = { readonly item_id: string } | undefined

/** Buys on the current day, without a time unless one is given. */
async function buy(login: Login, amount: number, more: object = {}) {
  await atSimulator(world, '/_sim/purchases', {
    item_id: login?.item_id,
    merchant: 'Blue Kettle',
    amount,
    date: today,
    ...more,
  })
}

/** Waits until the user's purchases have these amounts in dollars, and returns those that count. */
async function counting(userId: string, ...amounts: readonly number[]): Promise<number[]> {
  let recorded: { amount: number; counts: boolean }[] = []
  await until(async () => {
    await world.db.reader`update linker_items set sync_due_at = ${world.clock.now()} where user_id = ${userId}`
    await work(world)
    recorded = await world.db.reader<{ amount: number; counts: boolean }[]>`
      select (amount / 100)::int as amount, facts->>'isHistory' is null as counts
      from source_events where user_id = ${userId} order by amount`
    return recorded.length === amounts.length
  })
  assert.deepEqual(
    recorded.map(({ amount }) => amount),
    amounts,
  )
  return recorded.filter(({ counts }) => counts).map(({ amount }) => amount)
}

test('a user who takes over an account the same day earns nothing that the former user may have earned', async () => {
  const [first, second] = [await addUser(world, 'first'), await addUser(world, 'second')]
  await buy(await linked('first', 'shared'), 80)
  assert.deepEqual(await counting(first.userId, 80), [80])
  assert.equal((await link(world, client, 'second', 'shared')).status, 409)
  assert.equal((await unlink('first')).status, 200)
  const earlier = new Date(world.clock.now().getTime() - 60_000).toISOString()
  const login = await linked('second', 'shared')
  const later = new Date(world.clock.now().getTime() + 60_000).toISOString()
  await buy(login, 10, { authorized_datetime: earlier })
  await buy(login, 20, { authorized_datetime: later })
  await buy(login, 30)
  await buy(login, 40, { date: addDays(today, 1) })
  assert.deepEqual(await counting(second.userId, 10, 20, 30, 40, 80), [20, 40])
})

test('unlinking an account and linking it again on the same day loses no purchases from that day', async () => {
  const { userId } = await addUser(world, 'back')
  await buy(await linked('back', 'back'), 80)
  assert.deepEqual(await counting(userId, 80), [80])
  assert.equal((await unlink('back')).status, 200)
  await buy(await linked('back', 'back'), 30)
  assert.deepEqual(await counting(userId, 30, 80), [30, 80])
})

test('an account that looks like one unlinked the same day is treated as that account; others are not', async () => {
  await addUser(world, 'one')
  const { userId } = await addUser(world, 'all')
  await linkedFirst('one', 'alike')
  assert.equal((await unlink('one')).status, 200)
  const login = await linked('all', 'alike')
  const [same, other] = login?.accounts ?? []
  await buy(login, 30, { account_id: same?.account_id })
  await buy(login, 40, { account_id: other?.account_id })
  assert.deepEqual(await counting(userId, 30, 40), [40])
})

test('without masks, an account with the same name as one unlinked that day is treated as that account', async () => {
  const [first, second] = [await addUser(world, 'nameless'), await addUser(world, 'nameless-2')]
  await buy(await linked('nameless', 'no-digits', NO_DIGITS_BANK), 80)
  assert.deepEqual(await counting(first.userId, 80), [80])
  assert.equal((await unlink('nameless', NO_DIGITS_BANK)).status, 200)
  const login = await linked('nameless-2', 'no-digits', NO_DIGITS_BANK)
  await buy(login, 40, { date: addDays(today, 1) })
  assert.deepEqual(await counting(second.userId, 40, 80), [40])
})

test('an account that looks like one still linked by another user earns from the day it was linked', async () => {
  await addUser(world, 'holder')
  const { userId } = await addUser(world, 'likeness')
  await linkedFirst('holder', 'common')
  await buy(await linkedFirst('likeness', 'common'), 30)
  assert.deepEqual(await counting(userId, 30), [30])
})
