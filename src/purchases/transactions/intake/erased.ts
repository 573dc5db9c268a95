import type { Reader } from '../../../platform/db/database.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { eraseReference, listSalts } from '../../../users/users/index.ts'
import type { PurchaseFacts, SourceEventInput } from '../event.ts'
import { findMerchantBrand } from '../load/match.ts'
import type { SettlementCatalog } from '../replay/replay-input.ts'

/**
 * Stored in place of a content hash for erased users, because a hash would reveal the content. Their duplicate events
 * are recognized only by id.
 */
export const HASH_OF_ERASED = Buffer.alloc(16)

/** Reduces the events of erased users to what bookkeeping requires. */
export async function reduceErasedUsers(
  reader: Reader,
  deps: { readonly catalog: SettlementCatalog },
  publisher: Publisher,
  inputs: readonly SourceEventInput[],
): Promise<readonly SourceEventInput[]> {
  const salts = await listSalts(reader, publisher.id, [...new Set(inputs.map(({ userId }) => userId))])
  if (salts.size === 0) return inputs
  const assortment = await deps.catalog.getAssortment(publisher)
  return inputs.map((input) => {
    const salt = salts.get(input.userId)
    return salt === undefined ? input : removeIdentity(input, salt, findMerchantBrand(assortment, input.facts))
  })
}

type Identified = Pick<SourceEventInput, 'externalId' | 'originalExternalId' | 'aliases' | 'facts'>

/** Removes identifying data from an event. References are replaced consistently, so they still match one another. */
export function removeIdentity<Event extends Identified>(event: Event, salt: Buffer, brandUid: string | null): Event {
  const { aliases, facts } = event
  return {
    ...event,
    ...eraseNames(event, salt),
    ...(aliases === undefined || facts.isFromClick === true
      ? {}
      : { aliases: aliases.map((alias) => eraseReference(salt, alias)) }),
    facts: reduceFacts(facts, salt, brandUid),
  }
}

function reduceFacts(facts: PurchaseFacts, salt: Buffer, brandUid: string | null): PurchaseFacts {
  const { offerUid, mcc, channel, country, items, voucherCodeId, isFromClick, isPosted, isHistory } = facts
  const { orderId, accountId, stated } = facts
  const known = facts.brandUid ?? brandUid
  const reduced: PurchaseFacts = {
    ...given({ offerUid, mcc, channel, country, items, voucherCodeId, isFromClick, isPosted, isHistory }),
    ...(known === null ? {} : { brandUid: known }),
    ...(orderId === undefined ? {} : { orderId: eraseReference(salt, orderId) }),
    ...(accountId === undefined ? {} : { accountId: eraseReference(salt, accountId) }),
    ...(stated === undefined ? {} : { stated: { ...stated, item: eraseItem(stated.item, salt) } }),
  }
  return { ...reduced, isErased: true }
}

function given<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>
  }
}

/** An empty item number represents the entire order and is left empty. */
function eraseItem(item: string, salt: Buffer): string {
  return item === '' ? '' : eraseReference(salt, item)
}

/**
 * The external id of a network's report contains the id of its sale, which in turn contains the network's order or item
 * number (reported-sales.ts). Only that number is replaced, both here and in the stored report, from which later
 * reports of the sale derive their ids.
 */
function eraseNames({ externalId, originalExternalId, facts }: Identified, salt: Buffer) {
  const order = facts.orderId ?? facts.stated?.item ?? ''
  if (facts.isFromClick !== true || originalExternalId?.endsWith(`:${order}`) !== true)
    return {
      externalId: eraseReference(salt, externalId),
      originalExternalId: originalExternalId === null ? null : eraseReference(salt, originalExternalId),
    }
  const sale = originalExternalId.slice(0, originalExternalId.length - order.length) + eraseReference(salt, order)
  return { externalId: sale + externalId.slice(originalExternalId.length), originalExternalId: sale }
}
