import { HEADING } from './books/statements/index.ts'
import { ErasedUserSchema } from './data/erasure/index.ts'
import { REPORT } from './data/reports/index.ts'
import { type EVENT_TYPES, type EventDescription, TestDataSchema } from './events/index.ts'
import { GIFT_CARD_ORDER } from './payouts/gift-cards/index.ts'
import { DESTINATION, OutcomeAnswerSchema, REDEMPTION } from './payouts/redemptions/index.ts'
import { CLAIM } from './purchases/claims/index.ts'
import { TRANSACTION } from './purchases/transactions/index.ts'
import { CardSchema, DuplicateCardSchema, FailedLinkSchema, NewAccountsSchema } from './sources/cards/index.ts'
import { ADJUSTMENT } from './users/adjustments/index.ts'
import { ChoiceOfEventSchema, UserOfEventSchema } from './users/users/index.ts'

/**
 * The subject and data of each event type. The API reference derives its descriptions of events and webhooks from this.
 */
export const EVENT_DATA: Readonly<Record<(typeof EVENT_TYPES)[number], EventDescription>> = {
  'transaction.created': { summary: 'A purchase was recorded', data: TRANSACTION.schema, changes: true },
  'transaction.updated': { summary: 'A transaction changed', data: TRANSACTION.schema, changes: true },
  'reward.available': { summary: 'A reward became available for redemption', data: TRANSACTION.schema, changes: true },
  'reward.reversed': { summary: 'A reward was reversed', data: TRANSACTION.schema, changes: true },
  'user.created': { summary: 'A user was registered', data: UserOfEventSchema, changes: true },
  'user.updated': { summary: 'A user changed', data: UserOfEventSchema, changes: true },
  'user.terms_accepted': { summary: 'A user accepted the terms', data: UserOfEventSchema, changes: true },
  'user.marketing_chosen': {
    summary: 'A user agreed to or declined marketing email',
    data: ChoiceOfEventSchema,
  },
  'user.deactivated': { summary: 'A user was deactivated', data: UserOfEventSchema, changes: true },
  'user.erased': { summary: 'A user was erased', data: ErasedUserSchema },
  'card.linked': { summary: 'A card was linked', data: CardSchema, changes: true },
  'card.updated': { summary: 'A linked card changed', data: CardSchema, changes: true },
  'card.unlinked': { summary: 'A card was unlinked', data: CardSchema, changes: true },
  'card.reauthentication_required': {
    summary: 'The user must sign in to their bank again',
    data: CardSchema,
    changes: true,
  },
  'card.duplicate_detected': { summary: "An account matches another user's account", data: DuplicateCardSchema },
  'link.new_accounts_available': { summary: 'A login has accounts that are not shared yet', data: NewAccountsSchema },
  'link.failed': { summary: 'A login that a user completed could not be linked', data: FailedLinkSchema },
  'redemption.created': { summary: 'A user requested a redemption', data: REDEMPTION.schema, changes: true },
  'redemption.approved': { summary: 'A redemption was approved', data: REDEMPTION.schema, changes: true },
  'redemption.sent': {
    summary: 'A redemption is ready to be paid, or was handed to whoever pays it',
    data: REDEMPTION.schema,
    changes: true,
    answer: OutcomeAnswerSchema,
  },
  'redemption.completed': { summary: 'A redemption was paid', data: REDEMPTION.schema, changes: true },
  'redemption.failed': {
    summary: 'A redemption was declined or could not be paid',
    data: REDEMPTION.schema,
    changes: true,
  },
  'redemption.returned': { summary: 'A payment was returned', data: REDEMPTION.schema, changes: true },
  'redemption.cancelled': { summary: 'A redemption was canceled', data: REDEMPTION.schema, changes: true },
  'adjustment.booked': { summary: 'A balance was adjusted manually', data: ADJUSTMENT.schema },
  'claim.opened': { summary: 'A claim was opened', data: CLAIM.schema, changes: true },
  'claim.decided': { summary: 'A claim was decided', data: CLAIM.schema, changes: true },
  'gift_card.ordered': { summary: 'Gift cards were ordered', data: GIFT_CARD_ORDER.schema },
  'gift_card.delivered': { summary: 'Gift cards were delivered', data: GIFT_CARD_ORDER.schema },
  'gift_card.failed': { summary: 'Gift cards could not be delivered', data: GIFT_CARD_ORDER.schema },
  'gift_card.refunded': { summary: 'A gift card was refunded', data: GIFT_CARD_ORDER.schema },
  'gift_card.refund_refused': { summary: 'The supplier refused to refund a gift card', data: GIFT_CARD_ORDER.schema },
  'payout_destination.updated': { summary: "A user's payout destination changed", data: DESTINATION.schema },
  'payout_destination.removed': { summary: "A user's payout destination was removed", data: DESTINATION.schema },
  'statement.closed': { summary: 'A monthly statement was closed', data: HEADING.schema },
  'report.ready': { summary: 'A report is ready to download', data: REPORT.schema },
  'webhook.test': { summary: 'A test event for an endpoint', data: TestDataSchema },
}
