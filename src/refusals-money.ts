import type { ReconciliationRefusal } from './books/reconciliation/index.ts'
import type { SettlementRefusal } from './books/statements/index.ts'
import type { RedemptionRefusal } from './payouts/redemptions/index.ts'
import type { RefusalText } from './platform/http/index.ts'
import type { TransactionRefusal } from './purchases/transactions/index.ts'
import type { AdjustmentRefusal } from './users/adjustments/index.ts'

/** Refusals about adjustments, redemptions, payouts, payments and statements. */
export const MONEY: Readonly<
  Record<
    AdjustmentRefusal | Exclude<RedemptionRefusal, TransactionRefusal> | SettlementRefusal | ReconciliationRefusal,
    RefusalText
  >
> = {
  adjustment_not_found: {
    status: 404,
    title: 'No such adjustment',
    cause: 'There is no adjustment with this id.',
    remedy: 'List the adjustments again.',
  },
  adjustment_conflict: {
    status: 409,
    title: 'Adjustment exists with different content',
    cause: 'The external_ref belongs to another adjustment.',
    remedy: 'Use a new external_ref for a new adjustment.',
  },
  adjustment_decided: {
    status: 409,
    title: 'Already decided',
    cause: 'The adjustment has already been booked or declined.',
    remedy: 'No action is needed. To correct a booked adjustment, propose the opposite one.',
  },
  adjustment_proposed_by_you: {
    status: 409,
    title: 'Second person required',
    cause: 'You proposed this adjustment, and its amount exceeds what one person may book without a second.',
    remedy: 'Ask another person to book it.',
  },
  adjustment_invalid: {
    status: 400,
    title: 'Invalid adjustment',
    cause: 'An adjustment of this kind cannot have this sign or payer.',
    remedy: 'Use one of the combinations listed in the detail.',
  },
  adjustment_too_large: {
    status: 409,
    title: 'Exceeds what the user has or owes',
    cause: 'The negative correction exceeds the available balance, or the write-off exceeds the debt.',
    remedy: 'Adjust by no more than the user has available or owes.',
  },

  redemption_not_found: {
    status: 404,
    title: 'No such redemption',
    cause: 'There is no redemption with this id.',
    remedy: 'List the redemptions again.',
  },
  redemption_conflict: {
    status: 409,
    title: 'Redemption exists with different content',
    cause: 'The external_ref belongs to a redemption of this user with a different amount, currency, method or offer.',
    remedy: 'Use a new external_ref for a new redemption.',
  },
  redemption_status: {
    status: 409,
    title: 'Not allowed in this status',
    cause: "The redemption's status does not allow this. For example, it may already be paid.",
    remedy: 'Read the redemption again.',
  },
  redemption_method_not_allowed: {
    status: 409,
    title: 'Method not allowed',
    cause: 'The publisher does not pay out by this method.',
    remedy: 'Use one of the methods listed in the detail.',
  },
  redemption_below_minimum: {
    status: 422,
    title: 'Below the minimum',
    cause: "The amount is below the publisher's minimum redemption.",
    remedy: 'Wait until the user has earned more. The detail states the minimum.',
  },
  redemption_limit_reached: {
    status: 409,
    title: 'Limit reached',
    cause: "The user has reached one of the publisher's daily limits.",
    remedy: 'Try again tomorrow.',
  },
  redemption_approved_by_you: {
    status: 409,
    title: 'Already approved by you',
    cause: 'The redemption needs two approvers, and you have already approved it.',
    remedy: 'Ask another person to approve it.',
  },
  balance_insufficient: {
    status: 409,
    title: 'Insufficient balance',
    cause: 'The amount exceeds the available balance.',
    remedy: 'Redeem at most the available_cashback from GET /users/status/{publisher_user_id}.',
  },
  destination_not_found: {
    status: 404,
    title: 'No destination',
    cause: 'The user has no payout destination.',
    remedy: 'Set one with PUT /users/{publisher_user_id}/payout-destination.',
  },
  destination_missing: {
    status: 409,
    title: 'No payout destination',
    cause: 'This method pays to a bank account, and the user has not set one.',
    remedy: 'Set one with PUT /users/{publisher_user_id}/payout-destination.',
  },
  destination_cooling_down: {
    status: 409,
    title: 'Destination changed recently',
    cause: 'The destination was changed recently and cannot be paid yet, as a safety measure.',
    remedy: 'Redeem again after usable_from.',
  },
  destination_invalid: {
    status: 400,
    title: 'Invalid destination',
    cause: 'The bank account number has an invalid length, check digits or country.',
    remedy: 'Correct the field named in errors[].',
  },
  payer_missing: {
    status: 409,
    title: 'No payer configured',
    cause: 'Payout files must contain the account to pay from, and none is configured.',
    remedy: 'Configure it with `laurel payouts payer`.',
  },
  payout_file_gone: {
    status: 409,
    title: 'Account numbers destroyed',
    cause: 'A payout in the file is final, so its account number was deleted.',
    remedy: 'Use a copy that was downloaded earlier.',
  },
  payout_file_not_found: {
    status: 404,
    title: 'No such file',
    cause: 'There is no payout file with this id.',
    remedy: 'List the files again.',
  },
  payout_file_empty: {
    status: 409,
    title: 'Nothing to pay',
    cause: "None of the publisher's approved redemptions can be paid by this file.",
    remedy: 'Approve redemptions first.',
  },
  payout_file_invalid: {
    status: 400,
    title: 'Cannot be written in this format',
    cause: 'The payer or a payout cannot be written in this format.',
    remedy: 'See the detail for the reason. Choose another format, or correct the payer.',
  },
  payout_answer_unreadable: {
    status: 400,
    title: 'Unreadable bank response',
    cause:
      "Some lines of the bank's response cannot be parsed, or refer to no payout in the file. Nothing was " +
      'applied.',
    remedy: 'Correct the lines named in the response.',
  },

  payment_not_found: {
    status: 404,
    title: 'No such payment',
    cause: 'The publisher has no payment with this id.',
    remedy: 'List the payments again.',
  },
  payment_conflict: {
    status: 409,
    title: 'Payment exists with different content',
    cause: 'A payment with this external_ref was already recorded with different content.',
    remedy: 'Use a new external_ref for a new payment.',
  },
  payment_not_reversible: {
    status: 409,
    title: 'Not reversible',
    cause: 'The payment is already reversed, or is itself a reversal.',
    remedy: 'Record the money as a new payment.',
  },
  statement_not_found: {
    status: 404,
    title: 'No such statement',
    cause: 'There is no statement with this id.',
    remedy: 'List the statements again.',
  },
  month_not_over: {
    status: 409,
    title: 'Month not over yet',
    cause: "The month has not ended on the publisher's clock.",
    remedy: 'Close it once it has ended.',
  },
  month_out_of_order: {
    status: 409,
    title: 'Not the next month',
    cause: 'Months are closed in order, and a different month is next.',
    remedy: 'Close the month in next_month first.',
  },
  bookings_open: {
    status: 503,
    title: 'Bookings in progress',
    cause: 'A booking in this month is still in progress.',
    remedy: 'Retry after the number of seconds in Retry-After.',
  },
  statement_unreadable: {
    status: 400,
    title: 'Unreadable statement',
    cause: 'The imported file cannot be parsed.',
    remedy: 'Correct the problems listed in the detail.',
  },
}
