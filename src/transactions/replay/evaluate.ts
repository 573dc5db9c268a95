import type { Reader } from '../../platform/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { runInSlices } from '../../platform/slices.ts'
import type { Publisher } from '../../publishers/index.ts'
import { findUser, userNotFound } from '../../users/index.ts'
import type { SourceEvent, SourceEventInput } from '../intake/event.ts'
import type { IntakeDeps } from '../intake/intake.ts'
import { withCodesOfPools } from '../intake/pool-codes.ts'
import { withOtherReports } from '../same-purchase/trace.ts'
import { unknownName } from '../service.ts'
import { asItStands } from '../trace/trace.ts'
import type { Explained } from '../trace/user-view.ts'
import { replay } from './replay.ts'
import { loadScene } from './scene.ts'

/**
 * Judges a hypothetical purchase: a replay with one more purchase, which stores nothing.
 * @throws Refusal user_not_found, brand_unknown, offer_unknown
 */
export async function evaluatePurchase(
  reader: Reader,
  deps: IntakeDeps,
  publisher: Publisher,
  input: SourceEventInput,
  now: Date,
): Promise<Explained> {
  if ((await findUser(reader, publisher.id, input.userId)) === null) throw userNotFound()
  const assortment = await deps.catalog.assortmentOf(publisher)
  const unknown = unknownName(assortment, input)
  if (unknown !== null) throw unknown
  const [named = input] = await withCodesOfPools(reader, deps, publisher, [input])
  const transactionId = newUuid<'transaction'>()
  const touched = new Map([[transactionId, [hypothetical(named, now)]]])
  const scene = await loadScene(reader, deps.catalog, publisher, [input.userId], touched, now)
  const { outcomes, pairs } = await runInSlices(replay(scene))
  const outcome = outcomes.find(({ purchase }) => purchase.group.root.transactionId === transactionId)
  if (outcome?.judgement == null) throw new Error('a hypothetical purchase was not judged')
  const { purchase, ruling, owed, judgement } = outcome
  const standing = asItStands(judgement, {
    terms: ruling.terms,
    goods: purchase.folded,
    // Bounds are stored with holds, and a purchase that earns nothing holds nothing.
    bound: owed.amounts.gross === 0n ? null : (ruling.bound ?? null),
    paid: owed.amounts,
    currency: input.currency,
    reason: owed.reason,
  })
  return { trace: withOtherReports(standing, pairs, transactionId), paid: owed.amounts, currency: input.currency }
}

function hypothetical(input: SourceEventInput, now: Date): SourceEvent {
  return {
    ...input,
    occurredAt: input.occurredAt ?? now,
    eventId: newUuid<'sourceEvent'>(),
    receivedAt: now,
    inputHash: Buffer.alloc(0),
  }
}
