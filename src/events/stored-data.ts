import { createPacker } from '../platform/text/packed-json.ts'

// Most events are about transactions, so only transaction data has a shape. A new member requires a new shape at the
// end of the list.
const SHAPES = [
  [
    'transaction_uid publisher_user_id svc_user_id source external_id transaction_date_time status status_reason',
    'brand_uid merchant_name merchant_descriptor order_id account_id amount refunded_amount currency offer_uid offer_type',
    'reward_type user_cashback user_discount publisher_share cleared_on available_on adjusts version created_at updated_at',
  ].flatMap((names) => names.split(' ')),
]

const { pack, unpack } = createPacker(SHAPES)
export const packData = pack

/** Returns an event's data as JSON from its stored text, with the same bytes each time. */
export function toDataText(stored: string): string {
  return stored.startsWith('[') ? JSON.stringify(unpack(JSON.parse(stored))) : stored
}

/**
 * Returns the position of a transaction event's member in the stored array; 0 if transaction data has no such member.
 */
export function findPosition(member: string): number {
  return (SHAPES[0]?.indexOf(member) ?? -1) + 1
}
