/** The columns of a CSV catalog: their subject, and how cells are written. */
export type Kind = 'text' | 'number' | 'boolean' | 'texts' | 'numbers' | 'json'

export const BRAND_COLUMNS: Readonly<Record<string, Kind>> = {
  brand_uid: 'text',
  category_id: 'text',
  category: 'text',
  website: 'text',
  aliases: 'texts',
  domains: 'texts',
  merchant_ids: 'texts',
  mccs: 'texts',
  countries: 'texts',
  logo_img_url: 'text',
  large_img_url: 'text',
  small_img_url: 'text',
  offer_description: 'text',
  global_terms_and_conditions: 'text',
}
export const SHARED_COLUMNS: Readonly<Record<string, Kind>> = {
  name: 'text',
  description: 'text',
  reward_type: 'text',
  max_customer_offer: 'number',
  retired: 'boolean',
}
export const OFFER_COLUMNS: Readonly<Record<string, Kind>> = {
  offer_uid: 'text',
  formatted_description: 'text',
  banner_url: 'text',
  refund_period_days: 'number',
  tracking_url: 'text',
  network: 'text',
  offer_type: 'text',
  voucher_code: 'text',
  commission_rate: 'number',
  commission_amount: 'number',
  commission_groups: 'json',
  customer_offer: 'number',
  currency: 'text',
  location: 'text',
  channels: 'texts',
  one_time_use: 'boolean',
  new_customer_only: 'boolean',
  new_customer_days: 'number',
  max_spend: 'number',
  min_spend: 'number',
  denominations: 'numbers',
  start_date: 'text',
  end_date: 'text',
  days_of_week: 'texts',
  hours: 'json',
  lapsed_customer_only: 'boolean',
  lapsed_customer_days: 'number',
  activation_required: 'boolean',
  user_limits: 'json',
  budgets: 'json',
  unique_codes: 'boolean',
  local_radius_metres: 'number',
  terms_and_conditions: 'text',
  store_addresses: 'json',
}
/** Between the parts of a list; a list may also be written as JSON. */
export const SEPARATOR = '|'

// What a spreadsheet reads as a formula.
const FORMULA = /^'*[=+\-@\t\r]/

/** Cells that a spreadsheet would run as formulas start with an apostrophe, which marks plain text. */
export function escapedCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

export function unescapedCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}
