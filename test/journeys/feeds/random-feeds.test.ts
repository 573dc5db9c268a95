import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyLedger } from '../../../src/ledger/index.ts'
import { verifyRewards } from '../../../src/rewards/index.ts'
import { verifyTransactions } from '../../../src/transactions/index.ts'
import { startTestApp, type Tenant, type TestApp } from '../../support/app.ts'
import { earnedCents, FEED_CATALOG } from './model.ts'
import { type History, historiesOf } from './steps.ts'
import { beginWalk, done, mend, take, type Walk } from './walk.ts'

// Whatever a bank, a provider and the network between do to the feed of a card: in the end the user has exactly what
// his purchases earn, no cent twice and none lost.

const HISTORIES = Number(process.env['LAUREL_TEST_HISTORIES'] ?? 500)
const TOGETHER = 25
const SEED = Number(process.env['LAUREL_TEST_SEED'] ?? 20_261_121)
// Every refund period of the catalog is over by then, and every hold has lapsed.
const LONG_AFTER = { advance_days: 50 }

let app: TestApp
const tenants: Tenant[] = []

before(async () => {
  app = await startTestApp()
  await app.catalog(FEED_CATALOG)
})

after(() => app.close())

test(`${HISTORIES} random feeds end with the rewards that an independent model expects`, async () => {
  const histories = historiesOf(SEED, HISTORIES)
  for (let start = 0; start < histories.length; start += TOGETHER)
    await playTogether(histories.slice(start, start + TOGETHER), start)
  const { reader } = app.service.db
  assert.deepEqual([...(await verifyLedger(reader)), ...(await verifyRewards(reader))], [])
  for (const { publisher } of tenants) assert.deepEqual(await verifyTransactions(reader, publisher), [])
})

/** One sandbox with a user for each history; they share the provider, the worker and the bad weather. */
async function playTogether(histories: readonly History[], first: number): Promise<void> {
  const tenant = await app.tenant()
  tenants.push(tenant)
  await done(app, 'webhooks', { lose: 0.2, double: 0.2, badly_sign: 0.1, reorder: true, seed: SEED + first })
  const walks = await Promise.all(histories.map((_, index) => beginWalk({ app, tenant }, `user-${first + index}`)))
  await playPart(tenant, walks, histories, 'before')
  await settle(tenant, walks, histories)
  await playPart(tenant, walks, histories, 'after')
  await settle(tenant, walks, histories)
}

async function playPart(
  tenant: Tenant,
  walks: readonly Walk[],
  histories: readonly History[],
  part: keyof History,
): Promise<void> {
  await Promise.all(
    walks.map(async (walk, index) => {
      for (const step of histories[index]?.[part] ?? []) await take({ app, tenant }, walk, step)
    }),
  )
}

async function settle(tenant: Tenant, walks: readonly Walk[], histories: readonly History[]): Promise<void> {
  for (const path of ['faults', 'webhooks']) await fetch(`${app.simulatorUrl}/_sim/${path}`, { method: 'DELETE' })
  for (const walk of walks) await mend({ app, tenant }, walk)
  const { call } = tenant
  await everyFeedIsRead(tenant)
  assert.equal((await call('POST', '/sandbox/clock', LONG_AFTER)).status, 200)
  await everyFeedIsRead(tenant)
  assert.equal((await call('POST', '/sandbox/clock', LONG_AFTER)).status, 200)
  for (const [index, walk] of walks.entries()) {
    const { body } = await call('GET', `/users/status/${walk.user}`)
    const found = [body.pending_cashback, body.available_cashback]
    const told = `seed ${SEED}, ${walk.user}: ${JSON.stringify(walk.bought)}\n${JSON.stringify(histories[index])}`
    assert.deepEqual(found, [0, Number(earnedCents(walk.bought)) / 100], told)
  }
}

/** Moves the clock a little until each feed was read after now: one that failed waits for a while before it is tried again. */
async function everyFeedIsRead({ call, publisher }: Tenant): Promise<void> {
  const { reader } = app.service.db
  const [start] = await reader<{ now: Date }[]>`select clock_timestamp() as now`
  for (let tries = 0; tries < 200; tries++) {
    assert.equal((await call('POST', '/sandbox/clock', { advance_seconds: 1 })).status, 200)
    const [waiting] = await reader<{ count: bigint }[]>`
      select count(*) from linker_items
      where publisher_id = ${publisher.id} and (synced_at is null or synced_at < ${start?.now ?? new Date()})`
    if (waiting?.count === 0n) return
  }
  throw new Error('a feed could not be read')
}
