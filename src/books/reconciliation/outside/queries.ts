import type { Reader } from '../../../platform/db/database.ts'
import type { ComparedSpan } from '../span.ts'

/** A redemption that the file lists or that belongs to the period. */
export type KnownRedemption = {
  readonly isOwn: boolean
  readonly redemptionId: string
  readonly currency: string
  readonly amount: bigint
  readonly status: string
  readonly fileId: string | null
}

/**
 * Lists payouts made by file that were sent or whose outcome arrived in the period, and redemptions listed in the
 * bank's file, including those of other publishers.
 * @param endings the last 18 hexadecimal digits of their IDs
 */
export async function listPayouts(
  reader: Reader,
  { publisher, from, until }: ComparedSpan,
  { endings, fileId }: { readonly endings: readonly string[]; readonly fileId: string | null },
): Promise<KnownRedemption[]> {
  return reader<KnownRedemption[]>`
    -- all publishers: all users: a bank's statement may name the payouts of several
    select r.publisher_id = ${publisher.id} as is_own, r.redemption_id, r.currency, r.amount, r.status, r.file_id
    from redemptions r
    where right(replace(r.redemption_id::text, '-', ''), 18) = any(${endings as string[]}::text[])
      or (r.publisher_id = ${publisher.id} and r.file_id = ${fileId})
      or (r.publisher_id = ${publisher.id} and r.method = 'file' and exists (
        select 1 from redemption_steps s
        where s.user_id = r.user_id and s.redemption_id = r.redemption_id
          and s.status in ('sent', 'paid', 'failed', 'returned') and s.at >= ${from} and s.at < ${until}
      ))`
}

export type KnownOrder = {
  readonly isOwn: boolean
  readonly orderId: string
  readonly currency: string
  readonly total: bigint
  readonly status: string
}

/**
 * Lists gift card orders placed in the period or listed in the supplier's file, including those of other publishers.
 */
export async function listOrders(
  reader: Reader,
  { publisher, from, until }: ComparedSpan,
  orderIds: readonly string[],
): Promise<KnownOrder[]> {
  return reader<KnownOrder[]>`
    -- all publishers: all users: a supplier's list may name the orders of several
    select publisher_id = ${publisher.id} as is_own, order_id, currency, total, status from gift_card_orders
    where (publisher_id = ${publisher.id} and created_at >= ${from} and created_at < ${until})
      or order_id = any(${orderIds as string[]}::uuid[])`
}

export type KnownSale = {
  readonly transactionId: string
  readonly orderId: string | null
  readonly externalId: string
  readonly currency: string
  /** The amount left after refunds. */
  readonly amount: bigint
  readonly isCleared: boolean
}

/** Lists a network's sales that were made in the period or are listed in the file. */
export async function listSales(
  reader: Reader,
  { publisher, from, until }: ComparedSpan,
  network: string,
  names: readonly string[],
): Promise<KnownSale[]> {
  return reader<KnownSale[]>`
    -- all users: those of one publisher
    select transaction_id, order_id, external_id, currency, amount - refunded as amount, cleared_on is not null as is_cleared
    from transactions t
    where publisher_id = ${publisher.id} and source = 'AFFILIATE' and adjusts is null
      and starts_with(external_id, ${`${network}:`})
      and not exists (select 1 from erasures e where e.user_id = t.user_id and e.publisher_id = t.publisher_id)
      and ((authorized_at >= ${from} and authorized_at < ${until})
        or order_id = any(${names as string[]}::text[])
        or split_part(external_id, ':', 2) = any(${names as string[]}::text[]))`
}

/**
 * Returns the sub-IDs and sale names that belong to other publishers. Also returns the sub-IDs of erased users, because
 * their sales are no longer recorded under the same names.
 */
export async function listForeign(
  reader: Reader,
  { publisher }: ComparedSpan,
  network: string,
  { subIds, names }: { readonly subIds: readonly string[]; readonly names: readonly string[] },
): Promise<Set<string>> {
  const rows = await reader<{ name: string }[]>`
    -- all publishers: all users: a network's report has the sales of all
    select s.sub_id as name from sub_ids s
    where s.sub_id = any(${subIds as string[]}::text[])
      and (s.publisher_id <> ${publisher.id} or exists (select 1 from erasures e where e.user_id = s.user_id))
    union
    select coalesce(p.order_id, p.transaction_id) from postbacks p
    where p.network = ${network} and p.publisher_id <> ${publisher.id}
      and (p.order_id = any(${names as string[]}::text[]) or p.transaction_id = any(${names as string[]}::text[]))`
  return new Set(rows.map(({ name }) => name))
}
