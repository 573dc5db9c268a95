import type { CatalogStore } from '../../catalog/catalog/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import { presentFilter, REMATCH, type Rematch } from './rematch/rematch.ts'
import { applyRematch, getRematch, type RematchOrder, undoRematch } from './rematch/service.ts'

type Deps = {
  readonly db: Database
  readonly catalog: Pick<CatalogStore, 'getAssortment' | 'readFormerOffers' | 'refresh'>
}
type Timed = { readonly clock: Clock; readonly max?: number }

// A re-match takes many commits. The first one records in the audit log who started the re-match, in case it is
// interrupted. A sandbox's purchases are decided by its own clock, but the audit log uses real time.

/** Decides purchases again, recording the start and the end in the audit log. */
export async function applyRematchAs(
  deps: Deps,
  publisher: Publisher,
  order: RematchOrder,
  actor: Actor,
  { clock, max }: Timed,
): Promise<Rematch> {
  const at = clock.now()
  const asked = { filter: presentFilter(publisher, order.filter), hash: order.expected }
  const after = { publisher_id: encodeId('pub', publisher.id), reason: order.reason, ...asked }
  const begun = begunBy(actor, after, at)
  const done = await applyRematch(deps, publisher, { ...order, begun, at }, publisherNow(publisher, clock), max)
  await auditEnd(deps.db, done, 'rematch.applied', actor, clock.now())
  return done
}

/**
 * Undoes a re-match, recording the start and the end in the audit log.
 * @throws Refusal rematch_not_found, rematch_undone
 */
export async function undoRematchAs(
  deps: Deps,
  rematchUid: string,
  by: string,
  actor: Actor,
  { clock }: Timed,
): Promise<Rematch> {
  const undone = await getRematch(deps.db, rematchUid)
  const publisher = await getPublisher(deps.db.reader, undone.publisherId)
  const at = clock.now()
  const begun = begunBy(actor, { publisher_id: encodeId('pub', publisher.id), undoes: rematchUid }, at)
  const rematch = await undoRematch(deps, publisher, { undone, by, begun, at }, publisherNow(publisher, clock))
  await auditEnd(deps.db, rematch, 'rematch.undone', actor, clock.now())
  return rematch
}

function begunBy(actor: Actor, after: object, at: Date): NonNullable<RematchOrder['begun']> {
  return (tx, rematchId) =>
    audit(tx, { actor, action: 'rematch.begun', subject: encodeId('rmt', rematchId), after }, at)
}

async function auditEnd(db: Database, rematch: Rematch, action: string, actor: Actor, now: Date): Promise<void> {
  const after = REMATCH.present(rematch)
  await db.transaction((tx) => audit(tx, { actor, action, subject: encodeId('rmt', rematch.rematchId), after }, now))
}
