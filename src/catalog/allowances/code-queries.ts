import type { Day } from '../../platform/calendar.ts'
import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'

// A pool belongs to an offer and an environment. A code has no publisher until it is handed out.

/** The key of a pool. Sandboxes have separate pools, so that their users never get a code with real value. */
export type PoolKey = { readonly offerUid: string; readonly environment: Publisher['environment'] }

/** A code from a pool, without its text. */
export type Code = {
  readonly codeId: string
  readonly offerUid: string
  readonly environment: Publisher['environment']
  readonly publisherId: PublisherId | null
  readonly userId: UserId | null
  /** The last day on which the code can be used; `infinity` if it never expires. */
  readonly expiresOn: Day
}

const columns = (reader: Reader) => reader`
  code_id, offer_uid, environment, publisher_id, user_id, expires_on`

export async function listCodesByFingerprint(
  reader: Reader,
  fingerprints: readonly Buffer[],
): Promise<(Code & { readonly fingerprint: Buffer })[]> {
  const wanted = fingerprints.map((fingerprint) => ({ fingerprint }))
  // all publishers: finds the user a code was handed out to
  return reader<(Code & { readonly fingerprint: Buffer })[]>`
    select ${columns(reader)}, fingerprint from voucher_codes
    where fingerprint in (select given.fingerprint from ${asTable(reader, wanted, { fingerprint: 'bytea' })})
    order by code_id`
}

export async function listCodes(reader: Reader, codeIds: readonly string[]): Promise<Code[]> {
  if (codeIds.length === 0) return []
  // all publishers: a purchase may name any user's code
  return reader<Code[]>`
    select ${columns(reader)} from voucher_codes where code_id = any(${codeIds as string[]}::uuid[])`
}

type NewCode = {
  readonly codeId: string
  readonly fingerprint: Buffer
  readonly sealedCode: Buffer
  readonly expiresOn: Day | null
}

/** Adds codes to the pool and returns the hexadecimal fingerprints of the new ones. */
export async function insertCodes(
  tx: Tx,
  { offerUid, environment }: PoolKey,
  codes: readonly NewCode[],
  now: Date,
): Promise<Set<string>> {
  // all publishers: a pool belongs to an offer
  const rows = await tx<{ fingerprint: string }[]>`
    insert into voucher_codes (code_id, offer_uid, environment, fingerprint, sealed_code, expires_on, imported_at)
    select code_id, ${offerUid}, ${environment}, fingerprint, sealed_code, coalesce(expires_on, 'infinity'), ${now}
    from ${asTable(tx, codes, { codeId: 'uuid', fingerprint: 'bytea', sealedCode: 'bytea', expiresOn: 'date' })}
    on conflict do nothing
    returning encode(fingerprint, 'hex') as fingerprint`
  return new Set(rows.map((row) => row.fingerprint))
}

type HandedOut = { readonly codeId: string; readonly sealedCode: Buffer; readonly expiresOn: Day }

/** Finds an unused code of this offer that was already handed out to the user. */
export async function findUnusedCode(
  tx: Tx,
  publisherId: PublisherId,
  { userId, offerUid, today }: { readonly userId: UserId; readonly offerUid: string; readonly today: Day },
): Promise<HandedOut | null> {
  const [row] = await tx<HandedOut[]>`
    select code_id, sealed_code, expires_on from voucher_codes c
    where publisher_id = ${publisherId} and user_id = ${userId} and offer_uid = ${offerUid} and expires_on >= ${today}
      and not exists (select from allowance_holds h where h.user_id = c.user_id and h.code_id = c.code_id)
    order by expires_on, code_id
    limit 1`
  return row ?? null
}

/** Takes the code that expires first from the pool. Skips codes that another transaction is handing out. */
export async function takeCode(
  tx: Tx,
  { id: publisherId, environment }: Pick<Publisher, 'id' | 'environment'>,
  { userId, offerUid, today }: { readonly userId: UserId; readonly offerUid: string; readonly today: Day },
  now: Date,
): Promise<HandedOut | null> {
  const [row] = await tx<HandedOut[]>`
    update voucher_codes set publisher_id = ${publisherId}, user_id = ${userId}, handed_out_at = ${now}
    where code_id = (
      select code_id from voucher_codes
      where offer_uid = ${offerUid} and environment = ${environment} and user_id is null and expires_on >= ${today}
      order by expires_on, code_id
      limit 1
      for update skip locked)
    returning code_id, sealed_code, expires_on`
  return row ?? null
}

/** Returns the offers whose pool is empty. */
export async function listEmptyPools(
  reader: Reader,
  offerUids: readonly string[],
  { environment, today }: { readonly environment: Publisher['environment']; readonly today: Day },
): Promise<string[]> {
  const rows = await reader<{ offerUid: string }[]>`
    -- all publishers: a pool is its offer's
    select given.offer_uid from unnest(${offerUids as string[]}::text[]) as given (offer_uid)
    where not exists (
      select from voucher_codes c
      where c.offer_uid = given.offer_uid and c.environment = ${environment} and c.user_id is null and c.expires_on >= ${today})`
  return rows.map((row) => row.offerUid)
}

type SealedCode = Pick<HandedOut, 'codeId' | 'sealedCode'>

/** Lists the next batch of codes that were handed out to a publisher's users and whose text is still stored. */
export async function listGivenCodes(
  reader: Reader,
  publisherId: PublisherId,
  after: string,
  limit: number,
): Promise<SealedCode[]> {
  return reader<SealedCode[]>`
    select code_id, sealed_code from voucher_codes
    where publisher_id = ${publisherId} and code_id > ${after} and octet_length(sealed_code) > 0
    order by code_id
    limit ${limit}`
}

export async function updateFingerprints(
  tx: Tx,
  publisherId: PublisherId,
  codes: readonly { readonly codeId: string; readonly fingerprint: Buffer }[],
): Promise<void> {
  await tx`
    update voucher_codes c set fingerprint = given.fingerprint
    from ${asTable(tx, codes, { codeId: 'uuid', fingerprint: 'bytea' })}
    where c.publisher_id = ${publisherId} and c.code_id = given.code_id`
}
