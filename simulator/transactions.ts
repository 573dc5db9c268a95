import { deriveId, newId } from './ids.ts'
import type { Account, Counterparty, Location, PersonalFinanceCategory, Transaction } from './state.ts'

type Merchant = {
  /** The merchant's clean name, or a raw bank descriptor if `with_enrichment` is false. */
  readonly merchant: string
  readonly website?: string
  readonly merchant_entity_id?: string
  readonly location?: { readonly [Part in keyof Location]?: Location[Part] }
  readonly mcc?: string
  readonly original_description?: string
  /** The provider's primary category. */
  readonly category?: string
  /**
   * The marketplace that sold on behalf of the merchant. It is a separate counterparty and comes first in the original
   * description.
   */
  readonly marketplace?: string
  /** If false, omits everything the provider adds to the bank's text: name, website, entity and category. */
  readonly with_enrichment?: boolean
}

export type Purchase = Merchant & {
  /** Negative for incoming money. */
  readonly amount: number
  /** Null if the provider does not know it. */
  readonly currency?: string | null
  /** An unofficial currency code, such as a cryptocurrency's. Such a row has no official currency. */
  readonly unofficial_currency?: string
  readonly date?: string
  readonly datetime?: string
  /** Null if the bank provides only the date of the row. */
  readonly authorized_date?: string | null
  readonly authorized_datetime?: string
  readonly pending?: boolean
}

/** The part of a row that describes the merchant and the location. */
type Description = Omit<
  Transaction,
  | 'transaction_id'
  | 'account_id'
  | 'amount'
  | 'iso_currency_code'
  | 'unofficial_currency_code'
  | 'date'
  | 'datetime'
  | 'authorized_date'
  | 'authorized_datetime'
  | 'pending'
  | 'pending_transaction_id'
>

export function describe(merchant: Merchant): Description {
  const enriched = merchant.with_enrichment ?? true
  const { location, marketplace } = merchant
  const category = enriched ? (merchant.category ?? PURCHASE) : null
  const website = enriched ? (merchant.website ?? null) : null
  const entityId = enriched ? (merchant.merchant_entity_id ?? deriveId('merchant', merchant.merchant)) : null
  // Without a location, a purchase is classified as online only if the merchant has a website.
  const channel = location !== undefined ? 'in store' : website !== null ? 'online' : 'other'
  return {
    name: merchant.merchant,
    merchant_name: enriched ? merchant.merchant : null,
    merchant_entity_id: entityId,
    merchant_category_code: merchant.mcc ?? null,
    website,
    logo_url: null,
    counterparties: enriched
      ? [
          counterparty('merchant', merchant.merchant, entityId, website),
          ...(marketplace === undefined
            ? []
            : [counterparty('marketplace', marketplace, deriveId('merchant', marketplace), null)]),
        ]
      : [],
    original_description: merchant.original_description ?? describedBy(merchant),
    location: { ...NOWHERE, ...location },
    payment_channel: channel,
    personal_finance_category: category === null ? null : buildCategory(category),
    account_owner: null,
    category: null,
    category_id: null,
    check_number: null,
    payment_meta: NO_PAYMENT_META,
    personal_finance_category_icon_url: 'https://icons.simulator.example/category.png',
    transaction_code: null,
    transaction_type: channel === 'in store' ? 'place' : channel === 'online' ? 'digital' : 'unresolved',
  }
}

/** Builds the row of a purchase. Missing dates default to `today`. */
export function buildRow(purchase: Purchase, account: Account, today: string): Transaction {
  const unofficial = purchase.unofficial_currency ?? null
  const date = purchase.date ?? purchase.datetime?.slice(0, 10) ?? today
  const { authorized_date = purchase.authorized_datetime?.slice(0, 10) ?? date } = purchase
  return {
    ...describe(purchase),
    transaction_id: newId(),
    account_id: account.accountId,
    amount: purchase.amount,
    iso_currency_code: purchase.currency === undefined && unofficial === null ? 'USD' : (purchase.currency ?? null),
    unofficial_currency_code: unofficial,
    date,
    datetime: purchase.datetime ?? null,
    authorized_date,
    authorized_datetime: purchase.authorized_datetime ?? null,
    pending: purchase.pending ?? false,
    pending_transaction_id: null,
  }
}

/** Rebuilds a row's description with some parts replaced. A new merchant name also replaces the entity. */
export function redescribe(row: Transaction, parts: Partial<Merchant>): Description {
  const {
    merchant_entity_id: entityId,
    website,
    merchant_category_code: mcc,
    personal_finance_category: category,
  } = row
  const marketplace = row.counterparties.find(({ type }) => type === 'marketplace')?.name
  const placed = Object.values(row.location).some((part) => part !== null)
  const keepsEntity = entityId !== null && parts.merchant === undefined
  return describe({
    merchant: row.name,
    ...(website === null ? {} : { website }),
    ...(marketplace === undefined ? {} : { marketplace }),
    ...(keepsEntity ? { merchant_entity_id: entityId } : {}),
    ...(placed ? { location: row.location } : {}),
    ...(mcc === null ? {} : { mcc }),
    ...(category === null ? {} : { category: category.primary }),
    original_description: row.original_description,
    with_enrichment: row.merchant_name !== null,
    ...parts,
  })
}

const NOWHERE: Location = {
  address: null,
  city: null,
  region: null,
  postal_code: null,
  country: null,
  lat: null,
  lon: null,
  store_number: null,
}

/** The default category of a purchase. */
const PURCHASE = 'GENERAL_MERCHANDISE'

function buildCategory(primary: string): PersonalFinanceCategory {
  return { primary, detailed: `${primary}_OTHER_${primary}`, confidence_level: 'LOW', version: 'v2' }
}

/** The fields that are set only for transfers between banks. */
const NO_PAYMENT_META = {
  by_order_of: null,
  payee: null,
  payer: null,
  payment_method: null,
  payment_processor: null,
  ppd_id: null,
  reason: null,
  reference_number: null,
}

function describedBy({ merchant, marketplace }: Merchant): string {
  return (marketplace === undefined ? merchant : `${marketplace}*${merchant}`).toUpperCase()
}

function counterparty(
  type: Counterparty['type'],
  name: string,
  entityId: string | null,
  website: string | null,
): Counterparty {
  return { name, type, entity_id: entityId, website, logo_url: null, confidence_level: 'VERY_HIGH' }
}
