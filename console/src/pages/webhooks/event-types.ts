import type { Schemas } from '../../api/client.ts'

type EventType = Schemas['EventType']

// A record, so that an event type added to the service causes a compile error until it is listed here.
const KNOWN: Readonly<Record<EventType, true>> = {
  'transaction.created': true,
  'transaction.updated': true,
  'reward.available': true,
  'reward.reversed': true,
  'user.created': true,
  'user.updated': true,
  'user.terms_accepted': true,
  'user.marketing_chosen': true,
  'user.deactivated': true,
  'user.erased': true,
  'card.linked': true,
  'card.updated': true,
  'card.unlinked': true,
  'card.reauthentication_required': true,
  'card.duplicate_detected': true,
  'link.new_accounts_available': true,
  'link.failed': true,
  'redemption.created': true,
  'redemption.approved': true,
  'redemption.sent': true,
  'redemption.completed': true,
  'redemption.failed': true,
  'redemption.returned': true,
  'redemption.cancelled': true,
  'adjustment.booked': true,
  'claim.opened': true,
  'claim.decided': true,
  'gift_card.ordered': true,
  'gift_card.delivered': true,
  'gift_card.failed': true,
  'gift_card.refunded': true,
  'gift_card.refund_refused': true,
  'payout_destination.updated': true,
  'payout_destination.removed': true,
  'statement.closed': true,
  'report.ready': true,
  'webhook.test': true,
}

/** The event types that an endpoint can subscribe to. */
export const EVENT_TYPES = Object.keys(KNOWN) as readonly EventType[]
