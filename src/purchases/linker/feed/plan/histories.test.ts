import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { providerRow } from '../../../../../test/support/feed-plan.ts'
import { runs } from '../../../../../test/support/runs.ts'
import { DAY_MS, type Day, toDay } from '../../../../platform/calendar.ts'
import type { UserId } from '../../../../platform/ids.ts'
import type { CardId } from '../../../../sources/cards/index.ts'
import type { SourceEvent } from '../../../transactions/event.ts'
import { foldEvents } from '../../../transactions/fold/fold.ts'
import type { SourceEventInput } from '../../../transactions/index.ts'
import { joinPurchase, openPurchaseKeys, toKeyName } from '../../../transactions/intake/purchase-keys.ts'
import type { ProviderRow } from '../../provider.ts'
import type { FeedRow, Update } from '../rows.ts'
import type { Baseline } from './draft.ts'
import { parseUpdate } from './parse-row.ts'
import { planExpiry, planUpdate } from './plan.ts'

/**
 * Delivers random histories of a bank's rows in random pieces and checks them against a model that knows what the user
 * really bought. In the end, exactly the purchases that the bank shows as posted count, each less its refunds. Whenever
 * everything has been read, no more purchases count than the bank shows or has just removed.
 */

const CARD = 'c0000000-0000-7000-8000-000000000001' as CardId
const USER = 'd0000000-0000-8000-8000-000000000001' as UserId
const START = Date.parse('2026-03-10T12:00:00Z')
const RUNS = runs(1_000)

/** A purchase the user really made, and how the bank shows it. */
type Bought = {
  merchant: string
  readonly day: Day
  readonly saysWhen: boolean
  cents: number
  hold: { id: string; readonly cents: number; isShown: boolean } | null
  posted: {
    id: string
    readonly on: Day
    readonly holdId: string | null
    isShown: boolean
    goneMs: number | null
  } | null
  readonly refunds: { id: string; readonly cents: number; readonly on: Day }[]
}

type Bank = {
  readonly bought: Bought[]
  /** True if the provider identifies merchants. If not, a posting may have a different name than its hold. */
  readonly knowsMerchants: boolean
  readonly changes: Map<string, ProviderRow | null>
  nowMs: number
  account: string
  generation: number
  count: number
}

/** The service's view of the bank. */
type Known = { readonly rows: Map<string, FeedRow>; readonly events: SourceEventInput[]; last: Update }

type Step = { readonly act: Act; readonly which: number; readonly flag: number; readonly read: boolean }

const today = (bank: Bank): Day => toDay(new Date(bank.nowMs), 'UTC')
const newId = (bank: Bank): string => `row${String(++bank.count).padStart(4, '0')}`

function holdRow(bank: Bank, one: Bought): ProviderRow {
  const amount = (one.hold?.cents ?? 0) / 100
  return { ...base(bank, one), rowId: one.hold?.id ?? '', amount, pending: true, date: one.day }
}

function postedRow(bank: Bank, one: Bought): ProviderRow {
  const { id = '', on = one.day, holdId = null } = one.posted ?? {}
  const authorizedDate = one.saysWhen ? one.day : null
  return { ...base(bank, one), rowId: id, amount: one.cents / 100, date: on, authorizedDate, pendingRowId: holdId }
}

function refundRows(bank: Bank, one: Bought): ProviderRow[] {
  return one.refunds.map(({ id, cents, on }) => ({ ...base(bank, one), rowId: id, amount: -cents / 100, date: on }))
}

function base(bank: Bank, one: Bought): ProviderRow {
  return providerRow('', 0, {
    accountId: bank.account,
    name: one.merchant,
    facts: { merchantDescriptor: one.merchant, ...(bank.knowsMerchants ? { providerMerchantId: one.merchant } : {}) },
  })
}

function shownRows(bank: Bank): ProviderRow[] {
  return bank.bought.flatMap((one) => [
    ...(one.hold?.isShown ? [holdRow(bank, one)] : []),
    ...(one.posted?.isShown ? [postedRow(bank, one)] : []),
    ...refundRows(bank, one),
  ])
}

function show(bank: Bank, row: ProviderRow): void {
  bank.changes.set(row.rowId, row)
}

function buy(bank: Bank, { which, flag }: Step, isPending: boolean): Bought {
  const merchant = which % 2 === 0 ? ['kettle', 'lantern'][which % 4 === 0 ? 0 : 1] : undefined
  const cents = [1000, 1200][flag % 2] ?? 1000
  const one: Bought = {
    merchant:
      merchant ??
      `own ${'abcdefghij'[bank.bought.length % 10]}${'klmnopqrst'[Math.floor(bank.bought.length / 10) % 10]}`,
    day: today(bank),
    saysWhen: flag % 3 === 0,
    cents,
    hold: isPending ? { id: newId(bank), cents, isShown: true } : null,
    posted: isPending ? null : { id: newId(bank), on: today(bank), holdId: null, isShown: true, goneMs: null },
    refunds: [],
  }
  bank.bought.push(one)
  return one
}

function pick(bank: Bank, which: number, fits: (one: Bought) => boolean): Bought | undefined {
  const fitting = bank.bought.filter(fits)
  return fitting[which % Math.max(1, fitting.length)]
}

function hideHold(bank: Bank, one: Bought): void {
  if (one.hold === null || !one.hold.isShown) return
  one.hold.isShown = false
  bank.changes.set(one.hold.id, null)
}

const acts = {
  buyPending: (bank, _known, step) => show(bank, holdRow(bank, buy(bank, step, true))),
  buyPosted: (bank, _known, step) => show(bank, postedRow(bank, buy(bank, step, false))),
  /**
   * Posts a hold with or without a tip, with or without its id. The hold vanishes now, vanishes later, or is already
   * gone.
   */
  post: (bank, _known, { which, flag }) => {
    const one = pick(bank, which, (candidate) => candidate.posted === null && candidate.hold !== null)
    if (one?.hold == null) return
    one.cents = flag % 2 === 0 ? one.hold.cents : Math.round(one.hold.cents * 1.2)
    const holdId = flag % 5 < 2 ? one.hold.id : null
    if (!bank.knowsMerchants && flag % 7 < 3) one.merchant = `${one.merchant} holdings`
    one.posted = { id: newId(bank), on: today(bank), holdId, isShown: true, goneMs: null }
    show(bank, postedRow(bank, one))
    if (flag % 3 !== 0) hideHold(bank, one)
  },
  hideHold: (bank, _known, { which }) => {
    const one = pick(bank, which, (candidate) => candidate.hold?.isShown === true)
    if (one !== undefined) hideHold(bank, one)
  },
  correct: (bank, _known, { which }) => {
    const one = pick(bank, which, (candidate) => candidate.posted?.isShown === true)
    if (one === undefined) return
    one.cents += 10
    show(bank, postedRow(bank, one))
  },
  remove: (bank, _known, { which }) => {
    const one = pick(bank, which, (candidate) => candidate.posted?.isShown === true)
    if (one?.posted == null) return
    one.posted.isShown = false
    bank.changes.set(one.posted.id, null)
  },
  bringBack: (bank, _known, { which, flag }) => {
    const one = pick(bank, which, (candidate) => candidate.posted?.isShown === false)
    if (one?.posted == null) return
    if (flag % 2 === 0) one.posted.id = newId(bank)
    one.posted.isShown = true
    show(bank, postedRow(bank, one))
  },
  refund: (bank, _known, { which, flag }) => {
    const one = pick(bank, which, (candidate) => isOwn(candidate) && candidate.posted?.isShown === true)
    if (one === undefined) return
    const left = computeLeft(one)
    const cents = flag % 2 === 0 ? left : Math.floor(left / 2)
    if (cents <= 0) return
    one.refunds.push({ id: newId(bank), cents, on: today(bank) })
    show(bank, { ...(refundRows(bank, one).at(-1) ?? base(bank, one)) })
  },
  /** The refund arrives before the purchase. */
  refundFirst: (bank, known, step) => {
    const one = buy(bank, { ...step, which: 1 }, false)
    one.refunds.push({ id: newId(bank), cents: Math.floor(one.cents / 2), on: today(bank) })
    for (const row of refundRows(bank, one)) show(bank, row)
    if (step.flag % 2 === 0) read(bank, known)
    show(bank, postedRow(bank, one))
  },
  changeIds: (bank, known) => {
    // A row that changes together with its id could be taken for another purchase, so read pending changes first.
    read(bank, known)
    for (const row of shownRows(bank)) bank.changes.set(row.rowId, null)
    renew(bank)
    for (const row of shownRows(bank)) show(bank, row)
  },
  /** Switches to a new item. Pending changes to the old one are lost. */
  relink: (bank, known) => {
    bank.generation++
    renew(bank)
    readAll(bank, known)
  },
  rescan: (bank, known) => readAll(bank, known),
  wait: (bank, known, { flag }) => {
    bank.nowMs += ((flag % 4) + 1) * DAY_MS
    carryOut(known, planExpiry(makeBaseline(bank, known), new Set()))
  },
  readTwice: (bank, known) => {
    read(bank, known)
    carryOut(known, planUpdate(makeBaseline(bank, known), parseUpdate(known.last, 'UTC')))
  },
} satisfies Record<string, (bank: Bank, known: Known, step: Step) => void>
type Act = keyof typeof acts

function renew(bank: Bank): void {
  bank.account = `acc${newId(bank)}`
  for (const one of bank.bought) {
    if (one.hold !== null) one.hold.id = newId(bank)
    if (one.posted !== null) one.posted.id = newId(bank)
    for (const refund of one.refunds) refund.id = newId(bank)
  }
}

function isOwn(one: Bought): boolean {
  return one.merchant.startsWith('own')
}

function computeLeft(one: Bought): number {
  return Math.max(
    0,
    one.refunds.reduce((left, refund) => left - refund.cents, one.cents),
  )
}

function read(bank: Bank, known: Known): void {
  const rows = [...bank.changes.values()].filter((row) => row !== null)
  const removed = [...bank.changes].flatMap(([id, row]) => (row === null ? [id] : []))
  deliver(bank, known, { rows, removed })
}

function readAll(bank: Bank, known: Known): void {
  const rows = shownRows(bank)
  const listed = new Set(rows.map((row) => row.rowId))
  const isShown = (row: FeedRow) => row.replacedBy === null && row.waitsUntil === null && !row.removed
  const gone = [...known.rows.values()].filter((row) => isShown(row) && !listed.has(row.rowId))
  deliver(bank, known, { rows, removed: gone.map((row) => row.rowId) })
}

function deliver(bank: Bank, known: Known, update: Update): void {
  bank.changes.clear()
  known.last = update
  carryOut(known, planUpdate(makeBaseline(bank, known), parseUpdate(update, 'UTC')))
  for (const { posted } of bank.bought)
    if (posted !== null) posted.goneMs = posted.isShown ? null : (posted.goneMs ?? bank.nowMs)
}

function carryOut(known: Known, plan: ReturnType<typeof planUpdate>): void {
  for (const row of plan.rows) known.rows.set(row.rowId, row)
  known.events.push(...plan.events)
}

function makeBaseline(bank: Bank, { rows }: Known): Baseline {
  const accounts = new Set([bank.account, ...[...rows.values()].map((row) => row.accountId ?? '')])
  const card = { cardId: CARD, linkedAt: new Date('2026-01-01T00:00:00Z'), takenOver: false }
  return {
    userId: USER,
    timeZone: 'UTC',
    now: new Date(bank.nowMs),
    generation: bank.generation,
    cardOfAccount: new Map([...accounts].map((account) => [account, card])),
    formerCards: new Map(),
    stored: [...rows.values()],
  }
}

/** Returns the purchases that the transactions module derives from the events, with merchant and remaining amount. */
function standing(
  known: Known,
  now: Date,
): { readonly merchant: string; readonly left: bigint; readonly isCleared: boolean }[] {
  const threads = openPurchaseKeys([])
  const ids = known.events.map((event) => event.externalId)
  assert.equal(new Set(ids).size, ids.length, 'an event id was used twice')
  for (const event of known.events) joinPurchase(threads, event)
  const byPurchase = Map.groupBy(known.events, (event) => threads.keys.get(toKeyName(event, event.externalId)))
  return [...byPurchase.values()].flatMap((events) => {
    const folded = foldEvents(events.map(asKept), 'UTC', now)
    if (!folded.isPurchase || folded.emptyReason !== null) return []
    const merchant = folded.facts.merchantDescriptor ?? ''
    return [{ merchant, left: folded.amount - folded.refunded, isCleared: folded.clearedOn !== null }]
  })
}

function asKept(event: SourceEventInput): SourceEvent {
  const at = event.occurredAt ?? new Date(START)
  return { ...event, occurredAt: at, eventId: '', receivedAt: at, inputHash: Buffer.alloc(0) }
}

/**
 * Hides the merchant where only names identify it, because a hold may then give its name to another purchase of the
 * same amount.
 */
function nameIn({ knowsMerchants }: Bank, merchant: string): string {
  return knowsMerchants ? merchant : 'some'
}

function lines(bank: Bank, all: readonly { readonly merchant: string; readonly left: bigint }[]): string[] {
  return all.map(({ merchant, left }) => `${nameIn(bank, merchant)} ${left}`).toSorted()
}

function run(steps: readonly Step[], knowsMerchants: boolean): void {
  const start = { nowMs: START, account: 'acc', generation: 1, count: 0 }
  const bank: Bank = { bought: [], knowsMerchants, changes: new Map(), ...start }
  const known: Known = { rows: new Map(), events: [], last: { rows: [], removed: [] } }
  for (const step of steps) {
    acts[step.act](bank, known, step)
    if (!step.read) continue
    read(bank, known)
    checkCleared(bank, known)
  }
  read(bank, known)
  bank.nowMs += 40 * DAY_MS
  carryOut(known, planExpiry(makeBaseline(bank, known), new Set()))
  const real = bank.bought
    .filter((one) => one.posted?.isShown)
    .map((one) => ({ merchant: one.merchant, left: BigInt(computeLeft(one)) }))
    .filter((one) => one.left > 0n)
  assert.deepEqual(lines(bank, standing(known, new Date(bank.nowMs))), lines(bank, real))
}

/** Asserts that no more purchases have cleared than the bank shows as posted or has just removed. */
function checkCleared(bank: Bank, known: Known): void {
  const isStanding = ({ posted }: Bought) =>
    posted !== null && (posted.goneMs === null || bank.nowMs - posted.goneMs < 3 * DAY_MS)
  const byName = <One extends { readonly merchant: string }>(all: readonly One[]) =>
    Map.groupBy(all, ({ merchant }) => nameIn(bank, merchant))
  const most = byName(bank.bought.filter(isStanding))
  const cleared = byName(standing(known, new Date(bank.nowMs)).filter((one) => one.isCleared))
  for (const [name, { length }] of cleared)
    assert(
      length <= (most.get(name)?.length ?? 0),
      `${length} purchases of ${name} stand, of ${most.get(name)?.length}`,
    )
}

const ACTS = Object.keys(acts) as Act[]
// A purchase that continued another's hold may also get that purchase's refund or correction.
const OF_HOLDS = ACTS.filter((act) => act !== 'refund' && act !== 'refundFirst' && act !== 'correct')

for (const [what, knowsMerchants, possible] of [
  ['', true, ACTS],
  [', even if it posts under a different name than its hold', false, OF_HOLDS],
] as const)
  test(`after any changes to a bank's rows, each purchase counts exactly once${what}`, () => {
    const step = fc.record({
      act: fc.constantFrom(...possible, 'buyPending', 'buyPosted', 'post', 'post', 'wait'),
      which: fc.nat(11),
      flag: fc.nat(59),
      read: fc.boolean(),
    }) as fc.Arbitrary<Step>
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 40 }), (steps) => run(steps, knowsMerchants)),
      { numRuns: RUNS },
    )
  })
