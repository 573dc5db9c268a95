import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addUser,
  atSimulator,
  type Client,
  createClient,
  link,
  openWorld,
  readEvents,
  replay,
  simulatedItems,
  sourceEvents,
  until,
  type World,
  waitForWebhooks,
  work,
} from '../../../../test/support/linker-world.ts'
import { DAY_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import { workOff } from '../../../platform/queue/leased-work.ts'
import { type LinkId, lockCards, setLinkError } from '../../../sources/cards/index.ts'
import { advanceClock, createPublisher, type Publisher } from '../../../tenants/publishers/index.ts'
import { createSyncs } from '../feed/sync.ts'
import { syncPublisher } from '../loops.ts'
import { sealToken } from '../sealed-tokens.ts'

// Logins that break, are about to expire or go silent: what their cards show, and how often that is announced.

let world: World

before(async () => {
  world = await openWorld('linker_breaks')
})
after(() => world.close())

type Login = {
  readonly publisher: Publisher
  readonly client: Client
  readonly name: string
  readonly userId: UserId
  readonly item: string
  readonly accounts: readonly string[]
}

/** Links a login for a separate publisher, because checking a publisher reads all its logins. */
async function linked(name: string, ofPublisher?: Publisher): Promise<Login> {
  const publisher = ofPublisher ?? (await sandbox())
  const user = await addUser(world, name, publisher)
  const client = await createClient(world, publisher)
  const answer = await link(world, client, name, name)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const cards = answer.body['linked_cards'] as { account_id: string }[]
  const accounts = cards.map((card) => card.account_id)
  await work(world)
  const item = (await simulatedItems(world)).find((one) =>
    one.accounts.some((own) => accounts.includes(own.account_id)),
  )
  assert(item !== undefined)
  return { publisher, client, name, userId: user.userId, item: item.item_id, accounts }
}

type Shown = { readonly account_id: string; readonly error: unknown; readonly reauthentication_deadline: unknown }

async function shown({ client, name }: Login): Promise<Shown[]> {
  const { body } = await client('GET', `/linker/linked-cards/${name}/ins_109508`)
  return body['linked_cards'] as Shown[]
}

async function shows(login: Login, error: string | null): Promise<void> {
  await until(async () => {
    await work(world)
    return (await shown(login)).every((card) => card.error === error)
  })
}

/** Checks the login, regardless of which webhooks have arrived. */
async function look({ publisher }: Login): Promise<void> {
  await waitForWebhooks(world)
  await syncPublisher(world.deps, publisher)
  await work(world)
}

/** Lists the deadlines in one card's sign-in announcements; null for a login that has already stopped working. */
async function announced({ userId, accounts }: Login): Promise<unknown[]> {
  return (await readEvents(world, userId))
    .filter(({ type, data }) => type === 'card.reauthentication_required' && data['account_id'] === accounts[0])
    .map(({ data }) => data['reauthentication_deadline'])
}

const control = ({ item }: Login, what: string, body: object = {}) =>
  atSimulator(world, `/_sim/items/${item}/${what}`, body)

async function sandbox(): Promise<Publisher> {
  const made = { name: 'Sandbox', environment: 'sandbox' } as const
  return world.db.transaction((tx) => createPublisher(tx, made, world.clock.now()))
}

async function moved(login: Login, days: number): Promise<Login> {
  const publisher = await world.db.transaction((tx) => advanceClock(tx, login.publisher, days * DAY_MS))
  return { ...login, publisher }
}

test('a broken login is announced once, even if it flaps or its webhooks repeat or arrive out of order', async () => {
  const login = await linked('flapping')
  for (const what of ['break', 'repair', 'break']) await control(login, what)
  await shows(login, 'NEED_AUTHENTICATION')
  await replay(world, login.item, 10)
  await Promise.all([look(login), look(login), look(login)])
  await shows(login, 'NEED_AUTHENTICATION')
  // If the first break was seen before its repair, it has already been announced.
  const announcements = (await announced(login)).length
  assert(announcements === 1 || announcements === 2, String(announcements))
  await control(login, 'break', { error_code: 'PASSWORD_RESET_REQUIRED' })
  await control(login, 'break', { error_code: 'ITEM_NOT_SUPPORTED' })
  await shows(login, 'UNKNOWN')
  await control(login, 'break')
  await shows(login, 'NEED_AUTHENTICATION')
  assert.equal((await announced(login)).length, announcements)
  await control(login, 'repair')
  await shows(login, null)
  await control(login, 'break')
  await shows(login, 'NEED_AUTHENTICATION')
  assert.equal((await announced(login)).length, announcements + 1)
})

test('each card change is announced once, by card.updated unless another event announces it', async () => {
  const login = await linked('changing')
  const [first] = await readEvents(world, login.userId).then((all) => all.filter(({ type }) => type === 'card.linked'))
  const announcements = async () =>
    (await readEvents(world, login.userId))
      .filter(({ type, data }) => type === 'card.updated' && data['card_id'] === first?.data['card_id'])
      .map(({ data, previous }) => [previous, data['error'], data['reauthentication_deadline']])
  await control(login, 'break')
  await shows(login, 'NEED_AUTHENTICATION')
  assert.deepEqual(await announcements(), [])
  await control(login, 'break', { error_code: 'ITEM_NOT_SUPPORTED' })
  await shows(login, 'UNKNOWN')
  const expected: unknown[] = [[{ error: 'NEED_AUTHENTICATION' }, 'UNKNOWN', null]]
  assert.deepEqual(await announcements(), expected)
  await control(login, 'repair', { silent: true })
  await look(login)
  await shows(login, null)
  expected.push([{ error: 'UNKNOWN' }, null, null])
  assert.deepEqual(await announcements(), expected)
  await control(login, 'expire-consent', { in_seconds: 5 * 86_400, silent: true })
  await look(login)
  const [, deadline] = await announced(login)
  assert.notEqual(deadline, undefined)
  assert.deepEqual(await announcements(), expected)
  await control(login, 'repair', { silent: true })
  await look(login)
  expected.push([{ reauthentication_deadline: deadline }, null, null])
  assert.deepEqual(await announcements(), expected)
  await control(login, 'change-ids')
  await look(login)
  expected.push([{ account_id: first?.data['account_id'] }, null, null])
  assert.deepEqual(await announcements(), expected)
  for (let count = 0; count < 2; count++) await look(login)
  assert.deepEqual(await announcements(), expected)
  const versions = (await readEvents(world, login.userId))
    .filter(({ data }) => data['card_id'] === first?.data['card_id'])
    .map(({ data }) => data['version'])
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => Number(a) - Number(b)),
  )
  assert.equal(new Set(versions).size, versions.length)
})

test('an earlier observation does not override a later one', async () => {
  const login = await linked('late')
  const [row] = await world.db.reader<{ linkId: LinkId }[]>`
    select link_id from links where user_id = ${login.userId}`
  assert(row !== undefined)
  const isOutdated = (error: 'NEED_AUTHENTICATION' | null, at: number) =>
    world.db.transaction(async (tx) => {
      await lockCards(tx, login.publisher.id, login.userId)
      const now = world.clock.now()
      return setLinkError(tx, login.publisher, { ...login, ...row }, error, now, new Date(now.getTime() + at))
    })
  assert.equal(await isOutdated('NEED_AUTHENTICATION', 60_000), false)
  assert.equal(await isOutdated(null, 50_000), true)
  assert.equal(await isOutdated('NEED_AUTHENTICATION', 50_000), false)
  assert.equal(await isOutdated(null, 70_000), false)
  assert.equal(await isOutdated('NEED_AUTHENTICATION', 60_000), true)
  assert.deepEqual(await announced(login), [null])
  assert.equal((await shown(login))[0]?.error, null)
})

test('a failure from before a relink does not affect the new login', async () => {
  const login = await linked('relinked')
  const path = '/transactions/sync'
  const fault = { kind: 'error', item_id: login.item, path, error_code: 'ITEM_LOGIN_REQUIRED' }
  await atSimulator(world, '/_sim/faults', fault)
  // The provider has already failed the call, but its response is delayed.
  const { promise, resolve } = Promise.withResolvers<void>()
  world.door.holds = { path, until: promise, answered: true }
  const reading = syncPublisher(world.deps, login.publisher)
  await until(async () => {
    const { faults } = (await (await fetch(`${world.simulator.url}/_sim/faults`)).json()) as { faults: object[] }
    return faults.length === 0
  })
  assert.equal((await link(world, login.client, login.name, login.name)).status, 200)
  world.door.holds = null
  resolve()
  await reading
  assert.equal((await shown(login))[0]?.error, null)
  const types = (await readEvents(world, login.userId)).map(({ type }) => type)
  assert(!types.includes('card.reauthentication_required'), types.join())
})

test('each error appears on the cards and clears after a repair, even without a webhook', async () => {
  const login = await linked('codes')
  for (const [error_code, error] of [
    ['ITEM_LOCKED', 'NEED_AUTHENTICATION'],
    ['ACCESS_NOT_GRANTED', 'NEED_AUTHENTICATION'],
    ['NO_ACCOUNTS', 'NEED_AUTHENTICATION'],
    ['ITEM_NOT_SUPPORTED', 'UNKNOWN'],
    ['INSTITUTION_NO_LONGER_SUPPORTED', 'UNKNOWN'],
  ] as const) {
    await control(login, 'break', { error_code })
    await shows(login, error)
    // No webhook announces the repair, and there is no purchase. An empty sync clears the error.
    await control(login, 'repair', { silent: true })
    await look(login)
    await shows(login, null)
  }
})

test('a revoked permission appears on the cards even if no webhook announces it', async () => {
  const login = await linked('revoked')
  await control(login, 'revoke', { silent: true })
  await look(login)
  await shows(login, 'NEED_AUTHENTICATION')
  assert.deepEqual(await announced(login), [null])
})

test('a consent about to expire is announced once, shown with its deadline and cleared when renewed', async () => {
  for (const as of ['disconnect', 'expiration']) {
    const login = await linked(`renewed-${as}`)
    await control(login, 'expire-consent', { in_seconds: 6 * 86_400, as })
    await until(async () => {
      await work(world)
      return (await announced(login)).length > 0
    })
    const [deadline] = await announced(login)
    assert(Math.abs(Date.parse(String(deadline)) - world.clock.now().getTime() - 6 * DAY_MS) < DAY_MS)
    for (const card of await shown(login)) {
      assert.equal(card.error, null)
      assert.equal(
        Math.floor(Date.parse(String(card.reauthentication_deadline)) / 1_000),
        Date.parse(String(deadline)) / 1_000,
      )
    }
    await replay(world, login.item, 5)
    await look(login)
    assert.deepEqual(await announced(login), [deadline])
    // As in update mode, no webhook announces the renewal.
    await control(login, 'repair', { silent: true })
    await look(login)
    assert.deepEqual(new Set((await shown(login)).map((card) => card.reauthentication_deadline)), new Set([null]))
  }
})

test('a consent that is not renewed breaks the login at its deadline and is announced again', async () => {
  const login = await linked('unrenewed')
  await control(login, 'expire-consent', { in_seconds: 3 * 86_400, silent: true })
  await look(login)
  assert.equal((await announced(login)).length, 1)
  const later = await moved(login, 4)
  await look(later)
  await shows(later, 'NEED_AUTHENTICATION')
  assert.deepEqual(new Set((await shown(later)).map((card) => card.reauthentication_deadline)), new Set([null]))
  await look(later)
  const announcements = await announced(later)
  assert.equal(announcements.length, 2)
  assert.notEqual(announcements[0], null)
  assert.equal(announcements[1], null)
})

test('the deadline of a disconnection announced only by webhook stays until the user signs in again', async () => {
  const login = await linked('hinted')
  const deadline = new Date(world.clock.now().getTime() + 5 * DAY_MS)
  await world.db.reader`
    update linker_items set disconnects_at = ${deadline}, check_due_at = now() where user_id = ${login.userId}`
  await work(world)
  await look(login)
  assert.equal((await shown(login))[0]?.reauthentication_deadline, deadline.toISOString())
  assert.equal((await announced(login)).length, 1)
  await control(login, 'break', { silent: true })
  await control(login, 'repair')
  await until(async () => {
    await work(world)
    return (await shown(login)).every((card) => card.reauthentication_deadline === null)
  })
})

test('the cards of a silent bank show an error after seven days, until the bank reports again', async () => {
  const login = await linked('frozen')
  await control(login, 'freeze', { frozen: true })
  const soon = await moved(login, 6)
  await look(soon)
  assert.deepEqual(new Set((await shown(soon)).map((card) => card.error)), new Set([null]))
  const later = await moved(soon, 2)
  await look(later)
  assert.deepEqual(new Set((await shown(later)).map((card) => card.error)), new Set(['UNKNOWN']))
  // The feed stays readable throughout, but that does not make it fresh.
  await look(later)
  assert.deepEqual(new Set((await shown(later)).map((card) => card.error)), new Set(['UNKNOWN']))
  await control(later, 'freeze', { frozen: false })
  await look(later)
  assert.deepEqual(new Set((await shown(later)).map((card) => card.error)), new Set([null]))
  assert.deepEqual(await announced(later), [])
})

test('a login whose feed cannot be read for seven days shows an error until the feed can be read again', async () => {
  const login = await linked('unreadable')
  const failing = { path: '/transactions/sync', item_id: login.item, times: 0 }
  const { fault_id } = await atSimulator(world, '/_sim/faults', { kind: 'server_error', ...failing })
  await look(login)
  await shows(login, null)
  await world.db.reader`
    update linker_items set fault_since = fault_since - interval '8 days' where user_id = ${login.userId}`
  await look(login)
  await shows(login, 'UNKNOWN')
  await fetch(`${world.simulator.url}/_sim/faults/${fault_id}`, { method: 'DELETE' })
  await look(login)
  await shows(login, null)
})

test('a bank outage is shown as an error only after seven days', async () => {
  const login = await linked('down')
  await control(login, 'break', { error_code: 'INSTITUTION_DOWN' })
  await look(login)
  assert.deepEqual(new Set((await shown(login)).map((card) => card.error)), new Set([null]))
  const later = await moved(login, 8)
  await look(later)
  assert.deepEqual(new Set((await shown(later)).map((card) => card.error)), new Set(['UNKNOWN']))
})

test("moving the clock does not make a login stale, even if its item's clock cannot be moved", async () => {
  const login = await moved(await linked('travelled'), 60)
  world.door.shutFor = '/_sim/item-clock'
  await look(login)
  assert.deepEqual(new Set((await shown(login)).map((card) => card.error)), new Set([null]))
  world.door.shutFor = null
  await look(login)
  assert.deepEqual(new Set((await shown(login)).map((card) => card.error)), new Set([null]))
})

test('a login linked while the clock is far ahead is healthy from its first read, without card.updated', async () => {
  const publisher = await world.db.transaction(async (tx) => advanceClock(tx, await sandbox(), 60 * DAY_MS))
  const login = await linked('far-ahead', publisher)
  // Read before any request, which would trigger another check.
  const stored = await world.db.reader<{ error: string | null }[]>`
    select error from links where user_id = ${login.userId}`
  assert.deepEqual([...stored], [{ error: null }])
  assert(!(await readEvents(world, login.userId)).some(({ type }) => type === 'card.updated'))
})

test('a bank is checked again after the clock moves, before it counts as silent', async () => {
  const login = await linked('left-behind')
  const { publisher } = await moved(login, 60)
  // A worker reads the feed before the login is checked.
  await world.db
    .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second' where user_id = ${login.userId}`
  await workOff(createSyncs(world.deps, publisher.id))
  await work(world)
  assert(!(await readEvents(world, login.userId)).some(({ type }) => type === 'card.updated'))
})

test('a login that broke before its first read is read once it recovers, without a webhook', async () => {
  const user = await addUser(world, 'unread')
  const client = await createClient(world)
  assert.equal((await link(world, client, 'unread', 'unread')).status, 200)
  const item = (await simulatedItems(world)).at(-1)?.item_id
  await atSimulator(world, `/_sim/items/${item}/break`)
  await atSimulator(world, '/_sim/purchases', { item_id: item, merchant: 'Blue Kettle', amount: 5 })
  const errors = async () => {
    await work(world)
    const { body } = await client('GET', '/linker/linked-cards/unread/ins_109508')
    return (body['linked_cards'] as Shown[]).map((card) => card.error)
  }
  await until(async () => (await errors()).every((error) => error === 'NEED_AUTHENTICATION'))
  await atSimulator(world, `/_sim/items/${item}/repair`, { silent: true })
  await until(async () => (await errors()).every((error) => error === null))
  await until(async () => {
    await work(world)
    return (await sourceEvents(world, user.userId)).length === 1
  })
})

test('the webhook for a renewed consent clears the deadline', async () => {
  const login = await linked('renewed-aloud')
  await control(login, 'expire-consent', { in_seconds: 518_400 })
  await until(async () => {
    await work(world)
    return (await shown(login)).every((card) => card.reauthentication_deadline !== null)
  })
  await control(login, 'repair', { silent: false })
  await until(async () => {
    await work(world)
    const stored = await world.db.reader<{ deadline: Date | null }[]>`
      select reauthentication_deadline as deadline from links where user_id = ${login.userId}`
    return stored.every(({ deadline }) => deadline === null)
  })
})

test('a closed account unlinks only its own card, and a new account changes nothing by itself', async () => {
  const login = await linked('closing')
  const [closed, ...left] = login.accounts
  assert(left.length > 0)
  await control(login, 'open-account')
  await control(login, 'close-account', { account_id: closed })
  await until(async () => {
    await work(world)
    return (await shown(login)).length === left.length
  })
  assert.deepEqual(
    (await shown(login)).map((card) => [card.account_id, card.error]),
    left.map((id) => [id, null]),
  )
  const unlinked = (await readEvents(world, login.userId)).filter(({ type }) => type === 'card.unlinked')
  assert.deepEqual(
    unlinked.map(({ data }) => data['account_id']),
    [closed],
  )
})

const refuseAll = (item_id: string, error_code: string) =>
  atSimulator(world, '/_sim/faults', { kind: 'error', item_id, error_code, times: 0 })

test('a rejected token shows an error after a while, unless many in its environment are rejected', async () => {
  const alone = await linked('alone')
  const { fault_id } = await refuseAll(alone.item, 'INVALID_ACCESS_TOKEN')
  await look(alone)
  assert.equal((await shown(alone))[0]?.error, null)
  world.clock.offsetMs += 6 * 60_000
  await look(alone)
  assert.equal((await shown(alone))[0]?.error, 'UNKNOWN')
  await fetch(`${world.simulator.url}/_sim/faults/${fault_id}`, { method: 'DELETE' })
  await look(alone)
  assert.equal((await shown(alone))[0]?.error, null)

  const other = await sandbox()
  const many: Login[] = []
  for (let count = 0; count < 6; count++) many.push(await linked(`many-${count}`, other))
  for (const login of [alone, ...many]) await refuseAll(login.item, 'INVALID_API_KEYS')
  for (let count = 0; count < 3; count++) {
    for (const login of [alone, many[0]]) if (login !== undefined) await look(login)
    world.clock.offsetMs += 6 * 60_000
  }
  for (const login of [alone, ...many]) assert.equal((await shown(login))[0]?.error, null)
  assert(world.logged.some((line) => /"environment":"sandbox".*refuses many items of an account/.test(line)))

  await world.db.reader`update publishers set environment = 'production' where publisher_id = ${other.id}`
  await look(alone)
  assert.equal((await shown(alone))[0]?.error, 'UNKNOWN')
  await fetch(`${world.simulator.url}/_sim/faults`, { method: 'DELETE' })
})

test('any number of tokens of the other environment show errors and are not mistaken for bad keys', async () => {
  const publisher = await sandbox()
  const logins: Login[] = []
  for (let count = 0; count < 5; count++) logins.push(await linked(`foreign-${count}`, publisher))
  for (const item of await world.db.reader<Parameters<typeof sealToken>[1][]>`
    select publisher_id, user_id, link_id from linker_items where publisher_id = ${publisher.id}`)
    await world.db.reader`
      update linker_items set sealed_token = ${sealToken(world.deps.vault, item, `access-production-${item.linkId}`)}
      where user_id = ${item.userId} and link_id = ${item.linkId}`
  const [first] = logins
  assert(first !== undefined)
  world.logged.length = 0
  await look(first)
  for (const login of logins) assert.equal((await shown(login))[0]?.error, 'UNKNOWN')
  assert(!world.logged.some((line) => line.includes("check the account's credentials")))
  const answer = await first.client('GET', `/linker/auth-token/ins_109508/${first.name}`)
  assert.equal(answer.status, 200, 'the login can be linked again')
})
