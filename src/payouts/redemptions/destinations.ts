import { isDeepStrictEqual } from 'node:util'
import { recordEvents } from '../../events/index.ts'
import { openBook } from '../../ledger/index.ts'
import { HOUR_MS } from '../../platform/calendar.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { FIRST_UUID, newUuid, type PublisherId, toUserId, type UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getNamedUser, getUser } from '../../users/users/index.ts'
import { DESTINATION, type Destination, maskDestination, type StoredDestination, toContent } from './destination.ts'
import * as queries from './destination-queries.ts'
import type { RedemptionRefusal } from './errors.ts'
import { findAccountFault } from './files/bank-account.ts'
import type { DestinationId } from './redemption.ts'

const WIRE_NAMES: Readonly<Record<string, string>> = {
  holderName: 'holder_name',
  routingNumber: 'routing_number',
  accountNumber: 'account_number',
}

/**
 * Sets where a user is paid. Setting the same destination again is a no-op. A different one replaces it and cannot be
 * paid until a cooling-off period has passed, so that someone who takes over an account cannot empty it before its
 * owner finds out.
 * @throws Refusal user_not_found, destination_invalid
 */
export async function setDestination(
  tx: Tx,
  vault: Vault,
  publisher: Publisher,
  { publisherUserId, destination }: { readonly publisherUserId: string; readonly destination: Destination },
  now: Date,
): Promise<StoredDestination> {
  const userId = toUserId(publisher.id, publisherUserId)
  const fault = destination.type === 'email' ? null : findAccountFault(destination)
  if (fault !== null)
    throw new Refusal<RedemptionRefusal>(
      'destination_invalid',
      `The ${WIRE_NAMES[fault.field] ?? fault.field} ${fault.message}.`,
      {
        field: WIRE_NAMES[fault.field] ?? fault.field,
      },
    )
  // Locks the user, so that the second of two concurrent changes replaces the first. A user whose erasure was requested
  // in the meantime is no longer found.
  await openBook(tx, publisher, [userId])
  await getNamedUser(tx, publisher, publisherUserId)
  const fingerprint = computeFingerprint(vault, publisher.id, destination)
  const current = await queries.findDestination(tx, publisher.id, userId)
  const isSame = current?.fingerprint.equals(fingerprint) === true
  if (isSame && isDeepStrictEqual(openDetails(vault, current), destination)) return current
  const isFirst = !(await queries.hadDestination(tx, publisher.id, userId))
  const coolDownMs = isFirst ? 0 : publisher.destinationCoolDownHours * HOUR_MS
  const destinationId = newUuid<'destination'>()
  const stored: StoredDestination = {
    userId,
    destinationId,
    publisherId: publisher.id,
    publisherUserId,
    kind: destination.type,
    mask: maskDestination(destination),
    fingerprint,
    sealedDetails: vault.seal(JSON.stringify(destination), toContext(userId, destinationId)),
    // Correcting the holder's name does not make it a different destination.
    usableFrom: isSame ? current.usableFrom : new Date(now.getTime() + coolDownMs),
    createdAt: now,
    removedAt: null,
  }
  await queries.removeDestinations(tx, publisher.id, [userId], null, now)
  await queries.insertDestination(tx, stored)
  await queries.forgetRemoved(tx, publisher.id, [userId])
  await announceDestinations(tx, publisher, 'payout_destination.updated', [stored], now)
  return stored
}

/** @throws Refusal user_not_found, destination_not_found */
export async function getDestination(
  reader: Reader,
  publisher: Publisher,
  publisherUserId: string,
  now: Date,
): Promise<StoredDestination> {
  const { user } = await getUser(reader, publisher, publisherUserId, now)
  const found = await queries.findDestination(reader, publisher.id, user.userId)
  if (found === null) throw notFound()
  return found
}

/**
 * Removes a user's destination. A payout in progress is still sent to it, and the details are destroyed when that
 * payout ends.
 * @throws Refusal user_not_found, destination_not_found
 */
export async function removeDestination(
  tx: Tx,
  publisher: Publisher,
  publisherUserId: string,
  now: Date,
): Promise<StoredDestination> {
  const { user } = await getUser(tx, publisher, publisherUserId, now)
  await openBook(tx, publisher, [user.userId])
  const removed = await queries.removeDestinations(tx, publisher.id, [user.userId], null, now)
  const [one] = removed
  if (one === undefined) throw notFound()
  await queries.forgetRemoved(tx, publisher.id, [user.userId])
  await announceDestinations(tx, publisher, 'payout_destination.removed', removed, now)
  return one
}

/** Notifies the publisher, so that it can warn the user of a change or request another destination. */
export async function announceDestinations(
  tx: Tx,
  publisher: Publisher,
  type: 'payout_destination.updated' | 'payout_destination.removed',
  destinations: readonly StoredDestination[],
  now: Date,
): Promise<void> {
  const records = destinations.map((one) => ({ type, userId: one.userId, data: DESTINATION.present(one) }))
  await recordEvents(tx, publisher, records, now)
}

// Enough to keep the connection busy without using much memory.
const AT_ONCE = 500

/** Recomputes the fingerprints of an imported publisher's destinations, because each installation has its own key. */
export async function refingerprintDestinations(tx: Tx, vault: Vault, publisherId: PublisherId): Promise<void> {
  for (let after = FIRST_UUID as UserId; ; ) {
    const present = await queries.listPresent(tx, publisherId, after, AT_ONCE)
    const last = present.at(-1)
    if (last === undefined) return
    const known = present.map((one) => ({
      ...one,
      fingerprint: computeFingerprint(vault, publisherId, openDetails(vault, one)),
    }))
    await queries.updateFingerprints(tx, publisherId, known)
    after = last.userId
  }
}

function computeFingerprint(vault: Vault, publisherId: PublisherId, destination: Destination): Buffer {
  return vault.fingerprint(toContent(destination), `payout_destinations:${publisherId}`)
}

/** Decrypts the details of a destination that has not been destroyed. */
export function openDetails(vault: Vault, stored: StoredDestination): Destination {
  const { sealedDetails, userId, destinationId } = stored
  if (sealedDetails === null) throw new Error('the details of this destination have been destroyed')
  return JSON.parse(vault.open(sealedDetails, toContext(userId, destinationId)))
}

function toContext(userId: UserId, destinationId: DestinationId): string {
  return `payout_destinations:${userId}:${destinationId}`
}

function notFound(): Refusal<RedemptionRefusal> {
  return new Refusal<RedemptionRefusal>('destination_not_found', 'The user has no payout destination.')
}
