import { openBook } from '../../ledger/index.ts'
import { toDay } from '../../platform/calendar.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { FIRST_UUID, newUuid, type PublisherId, type UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getUser } from '../../users/users/index.ts'
import type { Assortment, CatalogOffer } from '../catalog/index.ts'
import { endActivation, insertActivation } from './activation-queries.ts'
import {
  findUnusedCode,
  insertCodes,
  listGivenCodes,
  type PoolKey,
  takeCode,
  updateFingerprints,
} from './code-queries.ts'
import type { AllowanceRefusal } from './errors.ts'

type OfferDeps = { readonly assortment: Assortment; readonly vault: Vault }

/**
 * Activates an offer for a user, so that later purchases qualify if the offer requires activation. Repeating the call
 * is a no-op.
 * @throws Refusal user_not_found, offer_unknown, user_not_active, offer_not_available
 */
export async function activateOffer(
  tx: Tx,
  { assortment }: Pick<OfferDeps, 'assortment'>,
  publisher: Publisher,
  named: OfferForUser,
  now: Date,
): Promise<Date> {
  const { userId, offer } = await activeUserAndOffer(tx, assortment, publisher, named, now)
  return insertActivation(tx, publisher.id, { userId, offerUid: offer.offerUid }, now)
}

/**
 * Ends an activation: earlier purchases still qualify, but later ones do not. Users who may not activate offers can
 * still deactivate them.
 * @throws Refusal user_not_found, offer_unknown
 */
export async function deactivateOffer(
  tx: Tx,
  { assortment }: Pick<OfferDeps, 'assortment'>,
  publisher: Publisher,
  { publisherUserId, offerUid }: OfferForUser,
  now: Date,
): Promise<void> {
  const { user } = await getUser(tx, publisher, publisherUserId, now)
  const offer = offerIn(assortment, offerUid)
  await endActivation(tx, publisher.id, { userId: user.userId, offerUid: offer.offerUid }, now)
}

/**
 * Returns an offer's voucher code for a user: the shared code, or a code from a pool, which is then reserved for the
 * user. The user gets the same code until it is used.
 * @throws Refusal user_not_found, offer_unknown, user_not_active, offer_not_available, codes_exhausted
 */
export async function handOutCode(
  tx: Tx,
  { assortment, vault }: OfferDeps,
  publisher: Publisher,
  named: OfferForUser,
  now: Date,
): Promise<{ readonly code: string; readonly expiresOn: string | null }> {
  const { userId, offer } = await activeUserAndOffer(tx, assortment, publisher, named, now)
  if (!offer.conditions.uniqueCodes) {
    if (offer.offerType !== 'VOUCHER_CODE' || offer.voucherCode === null)
      throw notAvailable('The offer has no voucher codes.')
    return { code: offer.voucherCode, expiresOn: offer.endDate }
  }
  // Serializes a user's concurrent requests, so that all of them get the same code.
  await openBook(tx, publisher, [userId])
  const wanted = { userId, offerUid: offer.offerUid, today: toDay(now, publisher.timeZone) }
  const found = (await findUnusedCode(tx, publisher.id, wanted)) ?? (await takeCode(tx, publisher, wanted, now))
  if (found === null)
    throw new Refusal<AllowanceRefusal>('codes_exhausted', 'All voucher codes of this offer have been assigned.')
  return {
    code: vault.open(found.sealedCode, sealContext(found.codeId)),
    expiresOn: found.expiresOn === 'infinity' ? null : found.expiresOn,
  }
}

export type ImportedCode = { readonly code: string; readonly expiresOn: string | null }

/** Adds codes to a pool. Returns the positions of duplicates, whether already in the pool or earlier in the list. */
export async function importCodes(
  tx: Tx,
  vault: Pick<Vault, 'seal' | 'fingerprint'>,
  pool: PoolKey,
  codes: readonly ImportedCode[],
  now: Date,
): Promise<number[]> {
  const rows = codes.map(({ code, expiresOn }) => {
    const codeId = newUuid()
    return {
      codeId,
      fingerprint: fingerprintCode(vault, code),
      sealedCode: vault.seal(code.trim(), sealContext(codeId)),
      expiresOn,
    }
  })
  const added = await insertCodes(tx, pool, rows, now)
  return rows.flatMap(({ fingerprint }, index) => (added.delete(fingerprint.toString('hex')) ? [] : [index]))
}

/** Fingerprints a code, ignoring case and surrounding whitespace, as for shared codes. */
export function fingerprintCode(vault: Pick<Vault, 'fingerprint'>, code: string): Buffer {
  return vault.fingerprint(code.trim().toUpperCase(), 'voucher_code')
}

// Enough to keep the connection busy while using little memory.
const CODES_AT_ONCE = 500

/**
 * Recomputes the fingerprints of a publisher's codes after a move from another installation, whose fingerprints are
 * meaningless here.
 */
export async function refingerprintCodes(tx: Tx, vault: Vault, publisherId: PublisherId): Promise<void> {
  for (let after = FIRST_UUID; ; ) {
    const codes = await listGivenCodes(tx, publisherId, after, CODES_AT_ONCE)
    const last = codes.at(-1)
    if (last === undefined) return
    const known = codes.map(({ codeId, sealedCode }) => ({
      codeId,
      fingerprint: fingerprintCode(vault, vault.open(sealedCode, sealContext(codeId))),
    }))
    await updateFingerprints(tx, publisherId, known)
    after = last.codeId
  }
}

export type OfferForUser = { readonly publisherUserId: string; readonly offerUid: string }

async function activeUserAndOffer(
  reader: Reader,
  assortment: Assortment,
  publisher: Publisher,
  { publisherUserId, offerUid }: OfferForUser,
  now: Date,
): Promise<{ userId: UserId; offer: CatalogOffer }> {
  const { user, status } = await getUser(reader, publisher, publisherUserId, now)
  const offer = offerIn(assortment, offerUid)
  if (status !== 'ACTIVE') throw new Refusal<AllowanceRefusal>('user_not_active', `The user is ${status}, not ACTIVE.`)
  const today = toDay(now, publisher.timeZone)
  if (offer.retired || (offer.endDate !== null && offer.endDate < today)) throw notAvailable('The offer has ended.')
  return { userId: user.userId, offer }
}

/**
 * Finds an offer in the assortment. An offer that the publisher does not carry is reported as unknown, because it might
 * be another publisher's private offer.
 */
function offerIn(assortment: Assortment, offerUid: string): CatalogOffer {
  const offer = assortment.catalog.offers.get(offerUid)
  if (offer === undefined || !assortment.carries(offer))
    throw new Refusal<AllowanceRefusal>('offer_unknown', 'There is no offer with this offer_uid.', {
      field: 'offer_uid',
    })
  return offer
}

function notAvailable(text: string): Refusal {
  return new Refusal<AllowanceRefusal>('offer_not_available', text)
}

function sealContext(codeId: string): string {
  return `voucher_codes ${codeId}`
}
