import type { CatalogStore } from '../catalog/index.ts'
import type { Database } from '../platform/database.ts'
import { encodeId } from '../platform/ids.ts'
import { getPublisher, type Publisher } from '../publishers/index.ts'
import {
  applyRematch,
  getRematch,
  type Order,
  presentRematch,
  type Rematch,
  undoRematch,
} from '../transactions/index.ts'
import { audit } from './audit.ts'
import type { Actor } from './operator.ts'

type Deps = { readonly db: Database; readonly catalog: Pick<CatalogStore, 'assortmentOf' | 'refresh'> }
type Timed = { readonly nowOf: (publisher: Publisher) => Date; readonly max?: number }

// It is many commits: who began it is written down with the first, so that it is known also where it breaks off.

/** Decides purchases anew, as applyRematch does, and writes down who did. */
export async function applyRematchAs(
  deps: Deps,
  publisher: Publisher,
  order: Order,
  actor: Actor,
  { nowOf, max }: Timed,
): Promise<Rematch> {
  const now = nowOf(publisher)
  const begun = begunBy(actor, { publisher_id: encodeId('pub', publisher.id), reason: order.reason }, now)
  const done = await applyRematch(deps, publisher, { ...order, begun }, now, max)
  await writeDown(deps.db, publisher, done, 'rematch.applied', actor, nowOf(publisher))
  return done
}

/** Puts back what a re-match changed, as undoRematch does, and writes down who did. @throws Refusal rematch_not_found */
export async function undoRematchAs(
  deps: Deps,
  rematchUid: string,
  by: string,
  actor: Actor,
  { nowOf }: Timed,
): Promise<{ readonly publisher: Publisher; readonly rematch: Rematch }> {
  const undone = await getRematch(deps.db, rematchUid)
  const publisher = await getPublisher(deps.db.reader, undone.publisherId)
  const now = nowOf(publisher)
  const begun = begunBy(actor, { publisher_id: encodeId('pub', publisher.id), undoes: rematchUid }, now)
  const rematch = await undoRematch(deps, publisher, { undone, by, begun }, now)
  await writeDown(deps.db, publisher, rematch, 'rematch.undone', actor, nowOf(publisher))
  return { publisher, rematch }
}

function begunBy(actor: Actor, after: object, now: Date): NonNullable<Order['begun']> {
  return (tx, rematchId) =>
    audit(tx, { actor, action: 'rematch.begun', subject: encodeId('rmt', rematchId), after }, now)
}

async function writeDown(
  db: Database,
  publisher: Publisher,
  rematch: Rematch,
  action: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  const after = presentRematch(publisher, rematch)
  await db.transaction((tx) => audit(tx, { actor, action, subject: encodeId('rmt', rematch.rematchId), after }, now))
}
