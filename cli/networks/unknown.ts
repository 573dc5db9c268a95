import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import {
  assignPostbackAs,
  dismissPostbackAs,
  UNKNOWN_POSTBACK,
  UNKNOWN_POSTBACKS,
} from '../../src/sources/affiliate/index.ts'
import { readFirstRows } from '../../src/tenants/access/index.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

export const SHOWN = 50

type List = { readonly network?: string; readonly limit?: number; readonly json?: true }

export async function listUnknown({ network, limit = SHOWN, json }: List): Promise<void> {
  const query = network === undefined ? {} : { network }
  const found = await withStorage(({ db }) =>
    readFirstRows(db.reader, UNKNOWN_POSTBACKS, query, { sort: '-received_at', limit }),
  )
  const reports = found.map(UNKNOWN_POSTBACK.present)
  if (json) return answerJson({ postbacks: reports })
  if (reports.length === 0) return note('Every reported sale matches a click.')
  const columns = ['report', 'received', 'network', 'sub_id', 'why', 'order', 'status', '>amount']
  const rows = reports.map((one) => [
    ...[one.postback_id, one.received_at.slice(0, 19).replace('T', ' '), one.network, one.sub_id],
    one.sent_to === null || one.sent_to === one.network ? one.reason : `sent to ${one.sent_to}`,
    ...[one.order_id ?? one.transaction_id ?? '', one.status, `${one.amount ?? ''} ${one.currency}`],
  ])
  answerTable(columns, rows)
}

type Decided = { readonly by: string; readonly reason: string; readonly json?: true }
type Assigned = Decided & { readonly publisher: PublisherId; readonly user: string; readonly offer: string }

export async function assign(postbackId: string, { publisher, user, offer, ...decided }: Assigned): Promise<void> {
  const { by, reason, json } = decided
  const click = { publisherId: publisher, publisherUserId: user, offerUid: offer }
  await changeAs(by, (tx, { actor, now }) => assignPostbackAs(tx, { postbackId, ...click, by: actor, reason }, now))
  const shown = { publisher_id: encodeId('pub', publisher), publisher_user_id: user, offer_uid: offer }
  if (json) return answerJson({ postback_id: postbackId, ...shown, by })
  answer(`The sale reported in ${postbackId} was credited to ${user}.`)
}

export async function dismiss(postbackId: string, { by, reason, json }: Decided): Promise<void> {
  await changeAs(by, (tx, { actor, now }) => dismissPostbackAs(tx, { postbackId, by: actor, reason }, now))
  if (json) return answerJson({ postback_id: postbackId, dismissed: true, by })
  answer(`The sale reported in ${postbackId} was dismissed.`)
}
