import { type EVENT_TYPES, selectAnnounced, selectAnnouncedVersions, toDataText } from '../../events/index.ts'
import { inBatches } from '../../platform/db/cursor.ts'
import type { Tx } from '../../platform/db/database.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { toMinor } from '../../platform/money.ts'
import { listChangedLater } from './announced-queries.ts'
import { formatAmount, nextCursor } from './read-rows.ts'
import type { BookRow } from './rules.ts'
import type { ComparedSpan } from './span.ts'

const BATCH = 1_000

type Announced = {
  readonly key: string
  readonly data: string
  readonly missingVersions?: number
  readonly versions?: number
}
type Wanted = {
  readonly types: readonly (typeof EVENT_TYPES)[number][]
  /** The member of the event's data that holds the record's ID. */
  readonly member: string
  /** The members that are amounts in the data's currency. */
  readonly amounts: readonly string[]
}

/** Yields the newest event about each transaction, unless the transaction has changed since the period. */
export async function* yieldNewestTransactionEvents(tx: Tx, span: ComparedSpan): AsyncGenerator<BookRow> {
  const wanted: Wanted = {
    types: ['transaction.created', 'transaction.updated'],
    member: 'transaction_uid',
    amounts: ['user_cashback', 'publisher_share'],
  }
  const query = selectAnnounced(tx, span.publisher.id, { ...span, ...wanted })
  for await (const batch of inBatches<Announced>(tx, nextCursor(), BATCH, query)) {
    const ids = batch.flatMap(({ key }) => decodeId('txn', key) ?? [])
    const later = new Set(
      (await listChangedLater(tx, span, ids)).map(({ transactionId }) => encodeId('txn', transactionId)),
    )
    for (const one of batch) {
      if (later.has(one.key)) continue
      const { values, version } = read(one, wanted)
      const counts = {
        'missing versions': String(one.missingVersions),
        ...(one.versions == null ? {} : { versions: String(one.versions) }),
      }
      yield { key: one.key, values: { ...values, version, ...counts } }
    }
  }
}

/** Yields every event of the given types, one per version of a record. */
export async function* eachAnnounced(tx: Tx, span: ComparedSpan, wanted: Wanted): AsyncGenerator<BookRow> {
  const query = selectAnnouncedVersions(tx, span.publisher.id, { ...span, ...wanted })
  for await (const batch of inBatches<Announced>(tx, nextCursor(), BATCH, query)) {
    for (const one of batch) yield { key: one.key, values: read(one, wanted).values }
  }
}

function read(
  { data: stored }: Announced,
  { amounts }: Wanted,
): { readonly values: BookRow['values']; readonly version: string } {
  const data = JSON.parse(toDataText(stored)) as Readonly<Record<string, string | number | null>>
  const currency = typeof data['currency'] === 'string' ? data['currency'] : null
  const said = amounts.flatMap((name) => {
    const amount = data[name]
    if (amount === null || amount === undefined) return []
    const minor = currency === null ? null : toMinor(amount, currency)
    return [[name.replaceAll('_', ' '), minor === null ? String(amount) : formatAmount(minor, currency)]]
  })
  return { values: { ...Object.fromEntries(said), status: String(data['status']) }, version: String(data['version']) }
}
