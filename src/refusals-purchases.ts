import type { AllowanceRefusal } from './catalog/allowances/index.ts'
import type { CatalogRefusal } from './catalog/catalog/index.ts'
import type { ReviewRefusal } from './catalog/reviews/index.ts'
import type { GiftCardRefusal } from './payouts/gift-cards/index.ts'
import type { RefusalText } from './platform/http/index.ts'
import type { ClaimRefusal } from './purchases/claims/index.ts'
import type { TransactionRefusal } from './purchases/transactions/index.ts'
import type { AffiliateRefusal } from './sources/affiliate/index.ts'
import type { UserRefusal } from './users/users/index.ts'

/** Refusals about the catalog, purchases and their rewards, gift cards and claims. */
export const PURCHASES: Readonly<
  Record<
    | AffiliateRefusal
    | CatalogRefusal
    | ReviewRefusal
    | Exclude<AllowanceRefusal, UserRefusal>
    | TransactionRefusal
    | GiftCardRefusal
    | ClaimRefusal,
    RefusalText
  >
> = {
  tracking_link_not_found: {
    status: 404,
    title: 'No such link',
    cause: 'The tracking link is unknown, or its offer has ended.',
    remedy: 'Fetch the brand again. Its offers have current links.',
  },
  postback_unauthorized: {
    status: 401,
    title: 'Missing or wrong secret',
    cause: 'The report has no secret, or the wrong one for this network.',
    remedy: "Send the network's secret in the X-Postback-Secret header or the `secret` parameter.",
  },
  postback_invalid: {
    status: 400,
    title: 'Invalid report',
    cause: 'The report contradicts an earlier one for the same sale, or lacks a field that its status requires.',
    remedy: 'Correct the field named in errors[].',
  },
  postback_not_found: {
    status: 404,
    title: 'No such report',
    cause: 'The list of unknown reports has no report with this id.',
    remedy: 'List the unknown reports again.',
  },
  postback_settled: {
    status: 409,
    title: 'Report already settled',
    cause: 'Someone has already assigned or dismissed this report. The detail says who.',
    remedy: 'No action is needed.',
  },
  postback_mismatch: {
    status: 422,
    title: 'No click for this sale',
    cause: 'The user followed no link to this offer that could have led to the sale.',
    remedy: 'Choose another user or offer, or dismiss the report.',
  },
  network_invalid: {
    status: 400,
    title: 'Invalid network',
    cause: 'The network is unknown, or one of its settings is invalid.',
    remedy: 'Use the name of a network that the operator has configured.',
  },
  report_invalid: {
    status: 400,
    title: 'Unreadable report',
    cause: "Some lines of the network's report cannot be parsed. Nothing was imported.",
    remedy: 'Correct the lines named in the detail.',
  },

  brand_not_found: {
    status: 404,
    title: 'No such brand',
    cause: 'The catalog has no brand with this brand_uid, or the publisher does not carry it.',
    remedy: 'Take the brand_uid from GET /publishers/brands.',
  },
  catalog_invalid: {
    status: 400,
    title: 'Invalid catalog',
    cause: 'The catalog file contains errors. Nothing was imported.',
    remedy: 'Correct the errors listed in the detail.',
  },
  alias_not_found: {
    status: 404,
    title: 'No such alias',
    cause: 'This merchant has no active alias with this id.',
    remedy: 'List the aliases again.',
  },
  decider_invalid: {
    status: 400,
    title: 'Invalid name',
    cause: 'decided_by is not a valid name.',
    remedy: 'Send a name on a single line.',
  },
  assortment_invalid: {
    status: 400,
    title: 'Invalid assortment',
    cause: 'The assortment refers to something that is not in the catalog, or contradicts itself.',
    remedy: 'Correct the field named in errors[].',
  },
  review_not_found: {
    status: 404,
    title: 'No such review',
    cause: 'The publisher has no review with this id.',
    remedy: 'List the reviews again.',
  },
  review_decided: {
    status: 409,
    title: 'Already decided',
    cause: 'The review has already been answered with a different brand.',
    remedy: 'No action is needed. If the answer is wrong, tell the operator.',
  },
  review_not_undoable: {
    status: 409,
    title: 'No answer to undo',
    cause: 'The review has no answer, or a newer answer has replaced it.',
    remedy: 'Undo the newer answer instead, if there is one.',
  },

  offer_unknown: {
    status: 404,
    title: 'No such offer',
    cause: 'There is no offer with this offer_uid, or the publisher does not carry it.',
    remedy: 'Take the offer_uid from a brand returned by GET /publishers/brands.',
  },
  offer_not_available: {
    status: 409,
    title: 'Offer not available',
    cause: 'The offer has ended, has not started, is used up, or has a type that this operation does not support.',
    remedy: 'See the detail for the reason. Offer the user a different one.',
  },
  codes_exhausted: {
    status: 409,
    title: 'No voucher codes left',
    cause: 'All voucher codes of the offer have been assigned.',
    remedy: 'Try again later, or ask the operator for more codes.',
  },

  event_conflict: {
    status: 409,
    title: 'Event exists with different content',
    cause: 'An event with this source and external_id was already reported with different content.',
    remedy: 'Use a new external_id for a new event. To change a purchase, report a REFUND, REVERSAL or AMENDMENT.',
  },
  transaction_not_found: {
    status: 404,
    title: 'No such transaction',
    cause: 'The publisher has no transaction with this id.',
    remedy: 'Take the transaction_uid from a response, an event or GET /transactions.',
  },
  brand_unknown: {
    status: 404,
    title: 'No such brand',
    cause: 'The catalog has no brand with this brand_uid.',
    remedy: 'Correct the brand_uid.',
  },
  amount_invalid: {
    status: 400,
    title: 'Invalid amount',
    cause: 'The amount has more decimal places than its currency, or is out of range.',
    remedy: "Send major units with the currency's number of decimal places: 12.5 USD, 1250 JPY.",
  },
  date_invalid: {
    status: 400,
    title: 'Invalid date',
    cause: 'The time is before 1970 or in the future, or the range ends before it begins.',
    remedy: 'Correct the field named in errors[]. A sandbox uses the time of its own clock.',
  },
  rematch_not_found: {
    status: 404,
    title: 'No such re-match',
    cause: 'There is no re-match with this id.',
    remedy: 'List the re-matches again.',
  },
  rematch_unbounded: {
    status: 400,
    title: 'No purchases selected',
    cause: 'The filter contains no brand, descriptor or date.',
    remedy: 'Specify at least one of them.',
  },
  rematch_too_large: {
    status: 422,
    title: 'Too many purchases',
    cause: 'The filter selects more purchases than one call can re-match.',
    remedy: 'Narrow the filter, or run `laurel rematch`.',
  },
  rematch_undone: {
    status: 409,
    title: 'Already undone',
    cause: 'The re-match has already been undone.',
    remedy: 'To restore it, undo the re-match named in the detail.',
  },
  rematch_differs: {
    status: 409,
    title: 'The result would differ',
    cause: 'Purchases, the catalog or aliases have changed since the preview, so its hash no longer matches.',
    remedy: 'Preview again, then apply with the new hash.',
  },

  denomination_invalid: {
    status: 422,
    title: 'Not a denomination of the offer',
    cause: 'The offer has no gift cards of this value.',
    remedy: 'Use one of the denominations listed in the detail.',
  },
  gift_card_order_not_found: {
    status: 404,
    title: 'No such order',
    cause: 'The publisher has no order with this id.',
    remedy: 'List the orders again.',
  },
  gift_card_order_conflict: {
    status: 409,
    title: 'Order exists with different content',
    cause: 'The external_ref belongs to an order of this user for a different offer or different cards.',
    remedy: 'Use a new external_ref for a new order.',
  },
  gift_card_order_status: {
    status: 409,
    title: 'Not allowed in this status',
    cause: "The order's status does not allow this.",
    remedy: 'Read the order again.',
  },
  gift_card_not_found: {
    status: 404,
    title: 'No such card',
    cause: 'The publisher has no gift card with this id.',
    remedy: 'Take the card_id from the order.',
  },
  gift_card_status: {
    status: 409,
    title: 'Not allowed in this status',
    cause:
      "The card's status does not allow this. For example, it may not be delivered yet, or may have been refunded.",
    remedy: 'Read the order again.',
  },
  card_revealed: {
    status: 409,
    title: 'Code already shown',
    cause: "A card's code is shown only once, and this one has already been shown.",
    remedy: 'If you lost the response, ask the operator to allow one more reveal.',
  },
  gift_card_unavailable: {
    status: 409,
    title: 'Gift cards not available',
    cause: 'The supplier does not have these cards at the moment.',
    remedy: 'Try again later, or choose another denomination.',
  },
  gift_card_supplier_missing: {
    status: 409,
    title: 'No supplier',
    cause: 'Only the simulated supplier is connected, and it delivers only to sandboxes.',
    remedy: 'Use a sandbox, or contact the operator.',
  },
  gift_card_supplier_unavailable: {
    status: 503,
    title: 'Supplier unavailable',
    cause: 'The gift card supplier is not responding.',
    remedy: 'Retry after the number of seconds in Retry-After.',
  },

  claim_not_found: {
    status: 404,
    title: 'No such claim',
    cause: 'There is no claim with this id.',
    remedy: 'List the claims again.',
  },
  claim_conflict: {
    status: 409,
    title: 'Claim exists with different content',
    cause: 'The external_ref belongs to another claim of the user.',
    remedy: 'Use a new external_ref for a new claim.',
  },
  claim_decided: {
    status: 409,
    title: 'Already decided',
    cause: 'The claim has already been granted, declined or withdrawn.',
    remedy: 'Read the claim again. If the decision was wrong, open a new claim.',
  },
  claim_waiting: {
    status: 409,
    title: 'Waiting for another person',
    cause: 'The claim will be granted by an adjustment that another person must book first.',
    remedy: 'Ask another person to book or decline the adjustment.',
  },
  claim_earns_nothing: {
    status: 409,
    title: 'The event earns nothing',
    cause: 'The purchase earns nothing, so the claim cannot be granted with it. See status_reason.',
    remedy: 'Correct the event, or grant the claim with an adjustment.',
  },
  claim_above_limit: {
    status: 409,
    title: 'Exceeds what one person may grant',
    cause: 'The event would earn more than one person may grant in a day.',
    remedy: 'Grant the claim with an adjustment, which another person books.',
  },
  claim_notes_full: {
    status: 409,
    title: 'Too many notes',
    cause: 'The claim has reached its maximum number of notes.',
    remedy: 'Decide the claim.',
  },
}
