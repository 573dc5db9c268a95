import type { Reader } from '../../../platform/db/database.ts'
import { newUuid } from '../../../platform/ids.ts'
import { runInSlices } from '../../../platform/slices.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { findUser, userNotFound } from '../../../users/users/index.ts'
import type { SourceEventInput } from '../event.ts'
import { replay } from '../replay/replay.ts'
import { loadReplayInput } from '../replay/replay-input.ts'
import { addOtherReports } from '../same-purchase/trace.ts'
import { findUnknownName } from '../service.ts'
import { findConditional } from '../trace/conditions.ts'
import { asItStands } from '../trace/trace.ts'
import type { Explained } from '../trace/user-view.ts'
import { type IntakeDeps, toEvent } from './intake.ts'
import { replacePoolCodes } from './pool-codes.ts'

/**
 * Judges a hypothetical purchase by including it in a replay. Stores nothing.
 * @throws Refusal user_not_found, brand_unknown, offer_unknown
 */
export async function evaluatePurchase(
  reader: Reader,
  deps: IntakeDeps,
  publisher: Publisher,
  input: SourceEventInput,
  now: Date,
): Promise<Explained> {
  const [explained] = await evaluatePurchases(reader, deps, publisher, [input], now)
  if (explained === undefined) throw new Error('a hypothetical purchase was not judged')
  return explained
}

/**
 * Evaluates several purchases of one user as if they were made together in this order.
 * @throws Refusal user_not_found, brand_unknown, offer_unknown
 */
export async function evaluatePurchases(
  reader: Reader,
  deps: IntakeDeps,
  publisher: Publisher,
  inputs: readonly SourceEventInput[],
  now: Date,
): Promise<Explained[]> {
  const [first] = inputs
  if (first === undefined) return []
  if ((await findUser(reader, publisher.id, first.userId)) === null) throw userNotFound()
  const assortment = await deps.catalog.getAssortment(publisher)
  for (const input of inputs) {
    const unknown = findUnknownName(assortment, input)
    if (unknown !== null) throw unknown
  }
  const isDiscount = (offerUid: string): boolean =>
    assortment.catalog.offers.get(offerUid)?.rewardType.startsWith('DISCOUNT') === true
  const named = await replacePoolCodes(reader, deps, publisher, inputs)
  const made = named.map((asked) => ({
    transactionId: newUuid<'transaction'>(),
    asked,
    event: toEvent(asked, asked.facts, now),
  }))
  const touched = new Map(made.map(({ transactionId, event }) => [transactionId, [event]]))
  const replayInput = await loadReplayInput(reader, deps.catalog, publisher, [first.userId], touched, now)
  const { outcomes, pairs } = await runInSlices(replay(replayInput))
  return made.map(({ transactionId, asked, event }) => {
    const outcome = outcomes.find(({ purchase }) => purchase.group.root.transactionId === transactionId)
    if (outcome?.judgement == null) throw new Error('a hypothetical purchase was not judged')
    const { purchase, ruling, owed, judgement } = outcome
    const standing = asItStands(judgement, {
      terms: ruling.terms,
      goods: purchase.folded,
      // Bounds are stored with holds, and a purchase that earns nothing has no holds.
      bound: owed.amounts.gross === 0n ? null : (ruling.bound ?? null),
      paid: owed.amounts,
      currency: event.currency,
      reason: owed.reason,
    })
    const trace = addOtherReports(standing, pairs, transactionId)
    const conditional = findConditional(trace, asked, isDiscount)
    return { trace, paid: owed.amounts, currency: event.currency, conditional }
  })
}
