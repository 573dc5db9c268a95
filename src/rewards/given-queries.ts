import { JSON_SEPARATOR, joinJson, plainArray, type Tx } from '../platform/database.ts'
import type { Transaction } from './transaction.ts'

/** What is written of a transaction, in the order of the columns below; the publisher is the caller's. */
export const givenColumns = (tx: Tx) => tx`
  user_id, transaction_id, source, external_id, brand_uid, match_method, merchant_name, merchant_descriptor, order_id, account_id, currency,
  amount, refunded, authorized_at, cleared_on, status, status_reason, offer_uid, offer_type, reward_type, terms, gross, user_amount,
  publisher_amount, fee_amount, user_discount, available_on, matures_at, earned_at, adjusts, version, created_at, updated_at`

/**
 * Transactions as rows that a statement can read from. Columns instead of one JSON document: that was twice as many
 * bytes, for it named each column in each row, and took longer to write and to read.
 */
export function givenTransactions(tx: Tx, rows: readonly Transaction[]) {
  const plain = (pick: (row: Transaction) => string | number | bigint | null): string => plainArray(rows.map(pick))
  const texts = (pick: (row: Transaction) => string | null): (string | null)[] => rows.map(pick)
  const instants = (pick: (row: Transaction) => Date | null): string => plain((row) => pick(row)?.toISOString() ?? null)
  return tx`(
    select
      user_id, transaction_id, source, external_id, brand_uid, match_method, merchant_name, merchant_descriptor, order_id, account_id, currency,
      amount, refunded, authorized_at, cleared_on, status, status_reason, offer_uid, offer_type, reward_type, terms::jsonb as terms, gross,
      user_amount, publisher_amount, fee_amount, user_discount, available_on, matures_at, earned_at, adjusts, version, created_at, updated_at
    from unnest(
      ${plain((row) => row.userId)}::text::uuid[], ${plain((row) => row.transactionId)}::text::uuid[], ${plain((row) => row.source)}::text::text[],
      ${texts((row) => row.externalId)}::text[], ${texts((row) => row.brandUid)}::text[], ${plain((row) => row.matchMethod)}::text::text[],
      ${texts((row) => row.merchantName)}::text[], ${texts((row) => row.merchantDescriptor)}::text[], ${texts((row) => row.orderId)}::text[],
      ${texts((row) => row.accountId)}::text[], ${plain((row) => row.currency)}::text::text[], ${plain((row) => row.amount)}::text::int8[],
      ${plain((row) => row.refunded)}::text::int8[], ${instants((row) => row.authorizedAt)}::text::timestamptz[],
      ${plain((row) => row.clearedOn)}::text::date[], ${plain((row) => row.status)}::text::text[], ${plain((row) => row.statusReason)}::text::text[],
      ${texts((row) => row.offerUid)}::text[], ${plain((row) => row.offerType)}::text::text[], ${plain((row) => row.rewardType)}::text::text[],
      string_to_array(${joinJson(rows.map((row) => row.terms))}, ${JSON_SEPARATOR}, ''), ${plain((row) => row.amounts.gross)}::text::int8[],
      ${plain((row) => row.amounts.user)}::text::int8[], ${plain((row) => row.amounts.publisher)}::text::int8[],
      ${plain((row) => row.amounts.fee)}::text::int8[], ${plain((row) => row.amounts.discount)}::text::int8[],
      ${plain((row) => row.availableOn)}::text::date[], ${instants((row) => row.maturesAt)}::text::timestamptz[],
      ${instants((row) => row.earnedAt)}::text::timestamptz[], ${plain((row) => row.adjusts)}::text::uuid[],
      ${plain((row) => row.version)}::text::int[], ${instants((row) => row.createdAt)}::text::timestamptz[],
      ${instants((row) => row.updatedAt)}::text::timestamptz[]
    ) as columns (${givenColumns(tx)})
  ) as given`
}
