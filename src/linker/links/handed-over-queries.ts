import type { Reader, Tx } from '../../platform/database.ts'
import type { PublisherId } from '../../platform/ids.ts'

/** Items of the publisher's own account whose token it has itself: those are its own to end. */
export async function insertHandedOver(tx: Tx, publisherId: PublisherId, fingerprint: Buffer): Promise<void> {
  await tx`
    insert into handed_over_items (publisher_id, item_fingerprint)
    values (${publisherId}, ${fingerprint})
    on conflict do nothing`
}

export async function isHandedOver(reader: Reader, publisherId: PublisherId, fingerprint: Buffer): Promise<boolean> {
  const rows = await reader`
    select 1 from handed_over_items where publisher_id = ${publisherId} and item_fingerprint = ${fingerprint}`
  return rows.length > 0
}
