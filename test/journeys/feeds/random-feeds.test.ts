import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyLedger } from '../../../src/ledger/index.ts'
import { verifyRewards, verifyTransactions } from '../../../src/purchases/transactions/index.ts'
import { startTestApp, type Tenant, type TestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { runs, SEED } from '../../support/runs.ts'
import { earnedCents, FEED_CATALOG, shownCents } from './model.ts'
import { generateHistories, type History } from './steps.ts'
import { beginWalk, done, mend, take, type Walk } from './walk.ts'

// Regardless of what the bank, the provider and the network do to a card's feed, the user ends up with exactly what
// their purchases earn. No cent is paid twice or lost.

const HISTORIES = runs(8)
const TOGETHER = 25
// By then every refund period in the catalog has ended, and every hold has lapsed.
const LONG_AFTER = { advance_days: 50 }

let app: TestApp
const tenants: Tenant[] = []

before(async () => {
  app = await startTestApp()
  await app.catalog(FEED_CATALOG)
})

after(() => app.close())

test(`${HISTORIES} random feeds yield the rewards that an independent model predicts`, async () => {
  const histories = generateHistories(SEED, HISTORIES)
  for (let start = 0; start < histories.length; start += TOGETHER)
    await playTogether(histories.slice(start, start + TOGETHER), start)
  const { reader } = app.service.db
  assert.deepEqual([...(await verifyLedger(reader)), ...(await verifyRewards(reader))], [])
  for (const { publisher } of tenants) assert.deepEqual(await verifyTransactions(reader, publisher), [])
})

/** Plays histories in one sandbox with one user each. They share the provider, the worker and the injected faults. */
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
  const readStanding = async ({ user }: Walk): Promise<readonly [pending: number, available: number]> => {
    const { body } = await call('GET', `/users/status/${user}`)
    return [body.pending_cashback, body.available_cashback]
  }
  const describeStory = (walk: Walk, index: number): string =>
    `seed ${SEED}, ${walk.user}: ${JSON.stringify(walk.bought)}\n${JSON.stringify(histories[index])}`
  await everyFeedIsRead(tenant)
  for (const [index, walk] of walks.entries()) {
    const [pending, available] = await readStanding(walk)
    const cents = BigInt(Math.round((pending + available) * 100))
    const { least, most } = shownCents(walk.bought)
    assert.ok(cents >= least && cents <= most, `${cents}, not ${least} to ${most}; ${describeStory(walk, index)}`)
  }
  assert.equal((await call('POST', '/sandbox/clock', LONG_AFTER)).status, 200)
  await everyFeedIsRead(tenant)
  assert.equal((await call('POST', '/sandbox/clock', LONG_AFTER)).status, 200)
  for (const [index, walk] of walks.entries()) {
    assert.deepEqual(await readStanding(walk), [0, Number(earnedCents(walk.bought)) / 100], describeStory(walk, index))
    for (const one of walk.bought) if (one.state === 'pending') one.hasLapsed = true
  }
}

/**
 * Advances the clock in small steps until every feed has been read again. After many faults, calls to the provider may
 * be paused for some time.
 */
async function everyFeedIsRead({ call, publisher }: Tenant): Promise<void> {
  const { reader } = app.service.db
  const [start] = await reader<{ now: Date }[]>`select clock_timestamp() as now`
  await eventually(async () => {
    assert.equal((await call('POST', '/sandbox/clock', { advance_seconds: 1 })).status, 200)
    const [waiting] = await reader<{ count: bigint }[]>`
      select count(*) from linker_items
      where publisher_id = ${publisher.id} and (synced_at is null or synced_at < ${start?.now ?? new Date()})`
    return waiting?.count === 0n
  })
}
