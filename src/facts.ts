import { expireReports } from './data/reports/index.ts'
import { applyCardOutcome, applyWebhookAnswer } from './payouts/redemptions/index.ts'
import type { Tx } from './platform/db/database.ts'
import type { PublisherId, UserId } from './platform/ids.ts'
import { type Fact, type FactTurn, runFact } from './platform/queue/outbox.ts'
import { applyAdjustmentDecision } from './purchases/claims/index.ts'
import { type LinkerDeps, unlinkUser } from './purchases/linker/index.ts'
import { ingestReportedSale } from './purchases/transactions/index.ts'
import { getPublisher, type Publisher, publisherNow } from './tenants/publishers/index.ts'

type Work = (tx: Tx, parts: LinkerDeps, publisher: Publisher, payload: Fact['payload']) => Promise<unknown>

/** The work triggered by each kind of fact. This is the only place where a lower room reaches a higher one. */
const WORK: Readonly<Record<string, Work>> = {
  'user.deactivated': (tx, parts, publisher, { userId }) => unlinkUser(tx, parts, publisher, userId as UserId),
  'user.erased': (tx, parts, publisher) => expireReports(tx, publisher, publisherNow(publisher, parts.clock)),
  'webhook.answered': (tx, parts, publisher, { data = '', answer = '' }) =>
    applyWebhookAnswer(tx, publisher, { data, answer }, publisherNow(publisher, parts.clock)),
  'adjustment.decided': (tx, parts, publisher, payload) =>
    applyAdjustmentDecision(tx, publisher, payload, publisherNow(publisher, parts.clock)),
  'gift_card.settled': (tx, parts, publisher, payload) =>
    applyCardOutcome(tx, publisher, payload, publisherNow(publisher, parts.clock)),
  'sale.reported': (tx, parts, publisher, { postbackId }) =>
    ingestReportedSale(tx, parts, publisher, postbackId ?? '', publisherNow(publisher, parts.clock)),
}

/** Handles one due fact of the given publisher, or of the publisher whose turn it is. Returns true if there was one. */
export async function runNextFact(parts: LinkerDeps, whose: FactTurn | PublisherId): Promise<boolean> {
  return runFact(parts.db, whose, async (tx, fact) => {
    const work = WORK[fact.name]
    if (work === undefined) throw new Error(`no handler is registered for the fact ${fact.name}`)
    await work(tx, parts, await getPublisher(tx, fact.publisherId), fact.payload)
  })
}
