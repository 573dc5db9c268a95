import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { verifyAll } from '../../../../cli/commands/ledger.ts'
import { openDesk } from '../../../../test/support/reward-desk.ts'
import { createRewardModel, type RewardModel } from '../../../../test/support/reward-model.ts'
import {
  type BrandName,
  CURRENCIES,
  type Currency,
  openTestWorld,
  type ShownBalances,
  START,
  type Step,
  stepsArbitrary,
  toEvent,
} from '../../../../test/support/reward-world.ts'
import { runs } from '../../../../test/support/runs.ts'
import { type Comparison, type RowDifference, reconcile, toComparedSpan } from '../../../books/reconciliation/index.ts'
import type { RedemptionId } from '../../../payouts/redemptions/index.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/calendar.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { Claim } from '../../claims/index.ts'
import type { SourceEventInput } from '../event.ts'

// Random histories of single users, run on the real code and on a small model that shares no code with it: purchases
// from every source in two currencies, redemptions, adjustments, claims and erasures.
const HISTORIES = runs(50)
const ORDERS = Math.ceil(HISTORIES / 4)
const RECONCILED = 12

const publishers: Publisher[] = []

const { db, world } = await openTestWorld('histories')
const desk = openDesk(db, world)

test('after any history, the balances equal those of an independent model', async () => {
  await fc.assert(
    fc.asyncProperty(stepsArbitrary, async (steps) => {
      const { shown, expected } = await play(steps)
      assert.deepEqual(shown, expected)
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  )
})

test('the balances do not depend on the arrival order or on time passing between events', async () => {
  const orders = fc.tuple(stepsArbitrary, fc.infiniteStream(fc.nat()), fc.array(fc.nat({ max: 39 }), { maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(orders, async ([steps, keys, pauses]) => {
      const reported = buildEvents(steps.filter((step) => step.do !== 'wait'))
      const sorted = reported.map((make) => ({ make, key: keys.next().value as number })).sort((a, b) => a.key - b.key)
      const inOrder = await deliver(reported, [])
      const shuffled = await deliver(
        sorted.map(({ make }) => make),
        pauses,
      )
      assert.deepEqual(shuffled, inOrder)
    }),
    { numRuns: ORDERS, endOnFailure: true },
  )
})

test("afterward, the ledger verifies and the publishers' books reconcile", async () => {
  assert.ok(publishers.length >= HISTORIES)
  assert.deepEqual((await verifyAll(db)).differences, [])
  const found: unknown[] = []
  const listener = {
    found: ({ left, right }: Comparison, difference: RowDifference) => found.push([left, right, difference]),
    compared: () => undefined,
    skipped: () => undefined,
  }
  // A reconciliation's nineteen comparisons take longer than the history itself, so only some publishers' books are
  // reconciled.
  for (const publisher of publishers.filter((_publisher, nth) => nth % RECONCILED === 0))
    await reconcile(db, toComparedSpan(publisher, { from: '2026-01-01', to: '2032-12-31' }, START), null, listener)
  assert.deepEqual(found, [])
})

type History = {
  readonly publisher: Publisher
  readonly userId: UserId
  readonly name: string
  readonly model: RewardModel
  readonly sent: (SourceEventInput | null)[]
  /** The first event of each purchase. */
  readonly firsts: Map<number, SourceEventInput>
  readonly redemptions: RedemptionId[]
  readonly claims: Claim[]
}

/**
 * Runs the steps one by one, in the service and in the model. Skips steps without effect, such as a refund of nothing,
 * in both.
 */
async function play(steps: readonly Step[]): Promise<{ shown: unknown; expected: unknown }> {
  const publisher = await world.withEuros(await world.publisher())
  publishers.push(publisher)
  const { userId, name } = await world.user(publisher)
  const model = createRewardModel()
  const nothing = { sent: [], firsts: new Map(), redemptions: [], claims: [] }
  const history: History = { publisher, userId, name, model, ...nothing }
  let nowMs = START.getTime()
  for (const step of steps) {
    nowMs += step.do === 'wait' ? step.days * DAY_MS : MINUTE_MS
    const now = new Date(nowMs)
    await report(history, step, now)
    if (step.do === 'wait') {
      await world.fallDue(publisher, now)
      await desk.fallDue(publisher, now)
      model.fallDue(nowMs)
    }
    // Nobody acts on behalf of an erased user.
    if (model.isErased()) continue
    await redeem(history, step, now)
    await complain(history, step, now)
    await change(history, step, now)
  }
  const balances = (currency: Currency) => world.shown(publisher, userId, currency)
  return {
    shown: { balances: await Promise.all(CURRENCIES.map(balances)), claims: await desk.readClaims(userId) },
    expected: { balances: CURRENCIES.map(model.shown), claims: model.claims() },
  }
}

async function report({ publisher, userId, model, sent, firsts }: History, step: Step, now: Date): Promise<void> {
  const isRepeat = step.do === 'repeat'
  const event = isRepeat ? (sent[step.step] ?? null) : eventFor(model, userId, step, now)
  const isNew = !isRepeat && !sent.some((one) => one?.externalId === event?.externalId)
  sent.push(event)
  if (event === null) return
  await world.report(publisher, [event], now)
  if (!isNew) return
  apply(model, step, event, now.getTime())
  if ('brand' in step) firsts.set(step.purchase, event)
}

async function redeem({ publisher, name, model, redemptions }: History, step: Step, now: Date): Promise<void> {
  const amount = step.do === 'redeem' ? model.redeemable(step.currency, step.part) : 0
  if (step.do === 'redeem' && amount > 0) {
    redemptions.push(await world.redeem(publisher, name, BigInt(amount), now, step.currency))
    model.redeem(step.currency, amount)
  }
  const decided = step.do === 'decide' ? redemptions[step.redemption] : undefined
  if (step.do === 'decide' && decided !== undefined) {
    await world.decide(publisher, decided, step.verdict, now)
    model.decide(step.redemption, step.verdict)
  }
}

/** Simulates the corrections and grants that operators make. */
async function complain(history: History, step: Step, now: Date): Promise<void> {
  const { userId, model, firsts, claims } = history
  const of = { ...history, now }
  if (step.do === 'adjust') {
    await desk.adjust(of, step.currency, step.amount)
    model.adjust(step.currency, step.amount, now.getTime())
  }
  if (step.do === 'decideAdjustment') {
    await desk.decideAdjustment(of, userId, step.adjustment, step.verdict)
    model.decideAdjustment(step.adjustment, step.verdict)
  }
  if (step.do === 'claim') {
    claims.push(await desk.claim(of))
    model.claim(now.getTime())
  }
  const claim = 'claim' in step ? claims[step.claim] : undefined
  if (step.do === 'decideClaim' && claim !== undefined) {
    await desk.decideClaim(of, claim, step.currency, step.amount)
    model.decideClaim(step.claim, step.currency, step.amount, now.getTime())
  }
  const first = step.do === 'grantPurchase' ? firsts.get(step.purchase) : undefined
  if (step.do === 'grantPurchase' && claim !== undefined && first !== undefined) {
    await desk.grantPurchase(of, claim, first)
    model.grantPurchase(step.claim, step.purchase)
  }
}

async function change({ publisher, name, model }: History, step: Step, now: Date): Promise<void> {
  if ((step.do === 'deactivate' && model.isActive()) || (step.do === 'reactivate' && !model.isActive())) {
    await world.switchUser(publisher, name, step.do, now)
    model.setActive(step.do === 'reactivate', now.getTime())
  }
  if (step.do === 'erase') {
    await desk.erase({ publisher, name, now })
    model.erase(now.getTime())
  }
}

function eventFor(model: RewardModel, userId: UserId, step: Step, now: Date): SourceEventInput | null {
  if (!('purchase' in step)) return null
  const known = model.findBrand(step.purchase)
  const begins = step.do === 'buy' || step.do === 'authorize'
  if (begins !== (known === null)) return null
  const brands = new Map<number, BrandName>(known === null ? [] : [[step.purchase, known]])
  const charged = model.computeCharged(step.purchase)
  return step.do === 'reverse' && charged === 0 ? null : toEvent(userId, step, brands, now, charged)
}

function apply(model: RewardModel, step: Step, event: SourceEventInput, nowMs: number): void {
  if (step.do === 'buy' || step.do === 'authorize')
    model.buy(step.purchase, step.brand, step.amount, step.do === 'buy', nowMs)
  if (step.do === 'clear') model.clear(step.purchase, step.amount, nowMs)
  if (step.do === 'refund') model.refund(step.purchase, step.amount, nowMs)
  if (step.do === 'reverse') model.reverse(step.purchase, Number(event.amount), nowMs)
}

type MakeEvent = (userId: UserId) => SourceEventInput

/**
 * Returns the events of a history with their times. Excludes what arrival order may decide: which purchase gets a freed
 * one-time offer, and conflicts over an id.
 */
function buildEvents(steps: readonly Step[]): MakeEvent[] {
  const model = createRewardModel()
  const seen = new Set<string>()
  const made: MakeEvent[] = []
  steps.forEach((step, index) => {
    const nowMs = START.getTime() + (index + 1) * MINUTE_MS
    if ('brand' in step && step.brand === 'once') return
    const event = eventFor(model, 'someone' as UserId, step, new Date(nowMs))
    if (event === null || seen.has(event.externalId)) return
    seen.add(event.externalId)
    apply(model, step, event, nowMs)
    made.push((userId) => ({
      ...event,
      userId,
      externalId: event.externalId.replace('someone', userId),
      originalExternalId: event.originalExternalId?.replace('someone', userId) ?? null,
    }))
  })
  return made
}

/** Delivers events in this order, with a month's pause before some of them. At the end everything falls due. */
async function deliver(makers: readonly MakeEvent[], pauses: readonly number[]): Promise<ShownBalances[]> {
  const publisher = await world.withEuros(await world.publisher())
  publishers.push(publisher)
  const { userId } = await world.user(publisher)
  let nowMs = START.getTime() + 60 * MINUTE_MS
  for (const [index, make] of makers.entries()) {
    if (pauses.includes(index)) {
      nowMs += 31 * DAY_MS
      await world.fallDue(publisher, new Date(nowMs))
    }
    await world.report(publisher, [make(userId)], new Date(nowMs))
  }
  await world.fallDue(publisher, new Date(nowMs + 400 * DAY_MS))
  return Promise.all(CURRENCIES.map((currency) => world.shown(publisher, userId, currency)))
}
