import { DAY_MS, isTimeZone } from '../../platform/calendar.ts'
import { announce, type Reader, type Tx } from '../../platform/db/database.ts'
import { newUuid, type PublisherId } from '../../platform/ids.ts'
import { getExponent, isCurrency } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { isReadableLine } from '../../platform/text/readable.ts'
import { findRedirectUriFault } from './allow-lists.ts'
import { claimSettingFault } from './claim-settings.ts'
import type { PublisherRefusal } from './errors.ts'
import { linkSettingFault } from './link-settings.ts'
import { getCurrencies, LIMITS, type Publisher, requireSandbox, STRICT_LIMITS } from './publisher.ts'
import * as queries from './queries.ts'
import { findRedemptionSettingFault, limitFault } from './redemption-settings.ts'
import { type MoneyLimits, PAYOUT_METHODS } from './settings.ts'

/** The notification that makes processes clear their cache of keys and publishers. */
export const PUBLISHERS_CHANGED = 'laurel_publishers_changed'

/** Makes every process look up publishers and keys again. */
export function announcePublishers(tx: Tx): Promise<void> {
  return announce(tx, PUBLISHERS_CHANGED)
}

type NewPublisher = {
  readonly name: string
  readonly environment: 'sandbox' | 'production'
  readonly currency?: string
  readonly timeZone?: string
}

/**
 * Creates a publisher without keys.
 * @throws Refusal setting_invalid for a blank name, an unknown time zone or an unsupported currency
 */
export async function createPublisher(tx: Tx, input: NewPublisher, now: Date): Promise<Publisher> {
  const { environment, currency = 'USD', timeZone = 'UTC' } = input
  const name = nameIn(input.name)
  if (!isTimeZone(timeZone)) throw settingInvalid('time_zone', `There is no time zone ${timeZone}.`)
  refuseCurrency(currency)
  const id = newUuid<'publisher'>()
  const redemptionMethods = environment === 'sandbox' ? PAYOUT_METHODS : (['publisher'] as const)
  await queries.insertPublisher(tx, { id, name, environment, currency, timeZone, redemptionMethods }, now)
  return queries.getPublisher(tx, id)
}

/**
 * Trims a name.
 * @throws Refusal setting_invalid if nothing remains, or if it contains invisible or reordering characters
 */
function nameIn(text: string): string {
  const name = text.trim()
  if (name === '') throw settingInvalid('name', 'The name must not be blank.')
  if (!isReadableLine(name))
    throw settingInvalid('name', 'The name must not contain invisible or reordering characters.')
  return name
}

/**
 * Changes settings. Limits apply to `currency`, which defaults to the publisher's default currency.
 * @throws Refusal setting_invalid, publisher_not_found
 */
export async function changeSettings(
  tx: Tx,
  publisherId: PublisherId,
  changes: Partial<queries.Settings & MoneyLimits>,
  currency?: string,
): Promise<Publisher> {
  const publisher = await queries.getPublisher(tx, publisherId)
  const isLimit = (name: string): boolean => (LIMITS as readonly string[]).includes(name)
  const { limits = [], settings = [] } = Object.groupBy(Object.entries(changes), ([name]) =>
    isLimit(name) ? 'limits' : 'settings',
  )
  await changeOwnSettings(tx, publisher, Object.fromEntries(settings))
  await changeLimits(tx, publisher, currency ?? publisher.currency, Object.fromEntries(limits))
  await announcePublishers(tx)
  return queries.getPublisher(tx, publisherId)
}

async function changeOwnSettings(tx: Tx, publisher: Publisher, given: Partial<queries.Settings>): Promise<void> {
  const changes = given.name === undefined ? given : { ...given, name: nameIn(given.name) }
  const settings = { ...publisher, ...changes }
  if (!isTimeZone(settings.timeZone)) throw settingInvalid('time_zone', `There is no time zone ${settings.timeZone}.`)
  if (settings.feePpm < 0 || settings.sharePpm < 0 || settings.feePpm + settings.sharePpm > 1_000_000)
    throw settingInvalid('share_percent', 'Fee and share must each be from 0% to 100% and add up to at most 100%.')
  const fault = linkSettingFault(settings) ?? findRedemptionSettingFault(settings) ?? claimSettingFault(settings)
  if (fault !== null) throw settingInvalid(fault.field, fault.text)
  if (Object.keys(changes).length > 0) await queries.updateSettings(tx, publisher.id, changes)
}

async function changeLimits(
  tx: Tx,
  publisher: Publisher,
  currency: string,
  changes: Partial<MoneyLimits>,
): Promise<void> {
  const former = publisher.limits.get(currency)
  if (former === undefined)
    throw settingInvalid('currency', `The publisher uses ${getCurrencies(publisher).join(' and ')}, not ${currency}.`)
  const fault = limitFault({ ...former, ...changes })
  if (fault !== null) throw settingInvalid(fault.field, fault.text)
  if (Object.keys(changes).length > 0) await queries.updateLimits(tx, publisher.id, currency, changes)
}

/**
 * Adds a currency to the publisher. A currency cannot be removed later.
 * @throws Refusal setting_invalid, publisher_not_found
 */
export async function addCurrency(tx: Tx, publisherId: PublisherId, currency: string, now: Date): Promise<Publisher> {
  refuseCurrency(currency)
  await queries.getPublisher(tx, publisherId)
  if (!(await queries.insertCurrency(tx, publisherId, { currency, ...STRICT_LIMITS }, now)))
    throw settingInvalid('currency', `The publisher already uses ${currency}.`)
  await announcePublishers(tx)
  return queries.getPublisher(tx, publisherId)
}

// The precision of amounts in the API.
const DECIMALS_MAX = 2

function refuseCurrency(currency: string): void {
  if (!isCurrency(currency)) throw settingInvalid('currency', `${currency} is not an ISO 4217 code, such as USD.`)
  if (getExponent(currency) > DECIMALS_MAX)
    throw settingInvalid(
      'currency',
      `${currency} has more than ${DECIMALS_MAX} decimal places, which amounts cannot have.`,
    )
}

// A century ahead is enough for any test, and keeps years to the four digits that every parser accepts.
const CLOCK_AHEAD_MAX_MS = 36_525 * DAY_MS

/**
 * Moves a sandbox's clock ahead. Like real time, it never goes back.
 * @throws Refusal sandbox_only; setting_invalid if the clock would be more than a century ahead in total
 */
export async function advanceClock(tx: Tx, publisher: Publisher, aheadMs: number): Promise<Publisher> {
  requireSandbox(publisher, 'Only the clock of a sandbox can be advanced.')
  const clockOffsetMs = await queries.moveClock(tx, publisher.id, aheadMs)
  if (clockOffsetMs > CLOCK_AHEAD_MAX_MS)
    throw settingInvalid('advance_days', 'A sandbox clock can be at most a century ahead in total.')
  await announcePublishers(tx)
  return { ...publisher, clockOffsetMs }
}

/** @throws Refusal setting_invalid for redirect_uri */
export async function allowRedirectUri(
  tx: Tx,
  publisherId: PublisherId,
  redirectUri: string,
  now: Date,
): Promise<void> {
  const fault = findRedirectUriFault(redirectUri, { wildcard: true })
  if (fault !== null) throw settingInvalid('redirect_uri', `The redirect URI ${fault}.`)
  await queries.getPublisher(tx, publisherId)
  await queries.insertAllowed(tx, publisherId, 'redirect_uri', redirectUri, now)
}

/** @throws Refusal setting_invalid for android_package_name */
export async function allowAndroidPackage(tx: Tx, publisherId: PublisherId, name: string, now: Date): Promise<void> {
  if (!/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(name) || name.length > 255)
    throw settingInvalid('android_package_name', 'An Android package name must look like com.example.app.')
  await queries.getPublisher(tx, publisherId)
  await queries.insertAllowed(tx, publisherId, 'android_package_name', name, now)
}

type Allowed = { readonly redirectUris: readonly string[]; readonly androidPackages: readonly string[] }

/**
 * Lists the allowed return targets for the link flow.
 * @throws Refusal publisher_not_found
 */
export async function listAllowed(reader: Reader, publisherId: PublisherId): Promise<Allowed> {
  await queries.getPublisher(reader, publisherId)
  const [redirectUris, androidPackages] = await Promise.all([
    queries.listAllowed(reader, publisherId, 'redirect_uri'),
    queries.listAllowed(reader, publisherId, 'android_package_name'),
  ])
  return { redirectUris, androidPackages }
}

/**
 * Removes an entry from its list and returns which list it was on. Link tokens already issued for the entry remain
 * valid until they expire.
 * @throws Refusal publisher_not_found, not_on_list
 */
export async function disallow(
  tx: Tx,
  publisherId: PublisherId,
  value: string,
): Promise<'redirect_uri' | 'android_package'> {
  await queries.getPublisher(tx, publisherId)
  // A URI has a scheme and a package name has none, so a value can be on only one of the lists.
  if (await queries.deleteAllowed(tx, publisherId, 'redirect_uri', value)) return 'redirect_uri'
  if (await queries.deleteAllowed(tx, publisherId, 'android_package_name', value)) return 'android_package'
  throw new Refusal<PublisherRefusal>('not_on_list', `${value} is not on any of this publisher's lists.`)
}

function settingInvalid(field: string, message: string): Refusal<PublisherRefusal> {
  return new Refusal<PublisherRefusal>('setting_invalid', message, { field })
}
