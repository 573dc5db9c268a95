import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { CommissionGroup, Offer, OfferConditions } from '../src/catalog/catalog/index.ts'
import type { Amounts, BoughtItem, Circumstances, Purchase } from '../src/catalog/offers/index.ts'
import { toTime, toWeekday } from '../src/platform/calendar.ts'
import { formatDecimal, ppmToPercent } from '../src/platform/money.ts'
import { RULE_BOOK } from '../test/offers/index.ts'
import { AT, type Chapter, examplePurchase, type Row } from '../test/offers/row.ts'

/** Generates docs/offers.md from the test cases of the rule book. */

const FILE = new URL('../docs/offers.md', import.meta.url)

const HEADING = `# What an offer pays, and when

Every row is a test case; \`node scripts/offers-doc.ts\` generates this page. Unless a row says otherwise, an ACTIVE user
with a linked card buys for 50.00 with that card, at noon on Tuesday, 10 March 2026, for the first time. The offer is
card-linked and pays 5% cashback with no limits, fee or publisher share. Amounts are USD.

All rules are judged, and the trace of the decision shows each with its value and its bound; the first failed rule gives
the \`status_reason\`. How the terms of a purchase are frozen: [decision 5](decisions/0005-frozen-terms.md);
how goods are divided over commission groups: [decision 14](decisions/0014-goods-and-groups.md); how purchases are
decided one after the other: [decision 22](decisions/0022-replay.md).
`

export function offersDocument(): string {
  return [HEADING, ...RULE_BOOK.map(chapterText)].join('\n')
}

function chapterText({ title, text, rows }: Chapter): string {
  const lines = rows.map((row) => `| ${[row.title, describeRow(row), followsFrom(row)].map(cell).join(' | ')} |`)
  return `## ${title}\n\n${wrapped(text)}\n\n| case | offer, purchase, user | result |\n|---|---|---|\n${lines.join('\n')}\n`
}

/** Wraps the text at 120 columns. */
function wrapped(text: string): string {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > COLUMNS) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
const COLUMNS = 120

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function describeRow({ offer, purchase, user, split, refunded }: Row): string {
  const { conditions, ...plain } = offer ?? {}
  const parts = [
    say('offer', [...describeFields(plain, OFFER_WORDS), ...describeFields(conditions ?? {}, CONDITION_WORDS)]),
    say('purchase', [
      ...describeFields(purchase ?? {}, purchaseWords(purchase ?? {})),
      ...(refunded === undefined ? [] : [`${money(refunded)} refunded`]),
    ]),
    say('user', describeFields(user ?? {}, USER_WORDS)),
    say('split', split === undefined ? [] : [`fee ${percent(split.feePpm)}`, `share ${percent(split.sharePpm)}`]),
  ]
  return parts.filter((part) => part !== '').join('<br>')
}

function say(of: string, words: readonly string[]): string {
  return words.length === 0 ? '' : `${of}: ${words.join(', ')}`
}

function followsFrom({ expected }: Row): string {
  if (expected === 'location_unconfirmed') return `held: \`${expected}\``
  if (typeof expected === 'string') return `nothing: \`${expected}\``
  const only = Object.keys(expected).join() === 'user'
  return describeFields(expected, only ? { user: money } : AMOUNT_WORDS).join(', ')
}

type Words<T> = { readonly [Name in keyof T]?: (value: T[Name]) => string }

/**
 * Describes the given fields. A field without wording aborts the generation, because it would otherwise be left out
 * silently.
 */
function describeFields<T extends object>(given: Partial<T>, words: Words<T>): string[] {
  return (Object.keys(given) as (keyof T & string)[]).flatMap((name) => {
    const word = words[name]
    if (word === undefined) throw new Error(`nothing says how to write ${name}`)
    const text = word(given[name] as T[typeof name])
    return text === '' ? [] : [text]
  })
}

const OFFER_WORDS: Words<Omit<Offer, 'conditions'>> = {
  offerType: (type) => type,
  rewardType: (type) => type,
  currency: (currency) => `in ${currency}`,
  groups: (groups) => groups.map(groupWords).join('; '),
  oneTimeUse: () => 'one-time',
  newCustomerOnly: () => 'new customers only',
  newCustomerDays: (days) => `new means no purchase in the last ${days} days`,
  minSpend: (amount) => `\`min_spend\` ${money(amount)}`,
  maxSpend: (amount) => `\`max_spend\` ${money(amount)}`,
  denominations: (amounts) => `denominations ${amounts.map(money).join(', ')}`,
  startDate: (day) => `from ${day}`,
  endDate: (day) => `until ${day}`,
  voucherCode: (code) => `code ${code}`,
  location: (location) => `location ${location}`,
  stores: (stores) => stores.map(storeWords).join('; '),
  channels: (channels) => (channels ?? []).join(' and '),
}

const CONDITION_WORDS: Words<OfferConditions> = {
  days: (days) => `on ${days.join(', ')}`,
  hours: (hours) => `${hours?.from}–${hours?.to}`,
  lapsedCustomerOnly: () => 'lapsed customers only',
  lapsedCustomerDays: (days) => `lapsed means no purchase in the last ${days} days`,
  activationRequired: () => 'must be activated',
  userLimits: (limits) => limits.map(limitWords).join('; '),
  uniqueCodes: () => 'codes from a pool',
}

function limitWords({ period, uses, reward }: OfferConditions['userLimits'][number]): string {
  const most = [...(uses === null ? [] : [`${uses} uses`]), ...(reward === null ? [] : [money(reward)])]
  return `at most ${most.join(' and ')} a ${period}`
}

function groupWords({ name, ratePpm, amount, productGroups, skus, customer, minAmount, maxAmount }: CommissionGroup) {
  const bounds = [
    ...(productGroups.length > 0 ? [`product group ${productGroups.join(' or ')}`] : []),
    ...(skus.length > 0 ? [`SKU ${skus.join(' or ')}`] : []),
    ...(customer === null ? [] : [`${customer} customers`]),
    ...(minAmount === null ? [] : [`from ${money(minAmount)}`]),
    ...(maxAmount === null ? [] : [`up to ${money(maxAmount)}`]),
  ]
  const pays = ratePpm === null ? money(amount) : percent(ratePpm)
  return `${name === null ? '' : `“${name}” `}${pays}${bounds.length === 0 ? '' : ` (${bounds.join(', ')})`}`
}

function storeWords({ storeNumber, streetAddress1, zipCode, latitude, longitude }: Offer['stores'][number]): string {
  const number = storeNumber === null ? 'a store without number' : `store ${storeNumber}`
  const point = latitude === null ? 'no coordinates' : `${latitude}, ${longitude}`
  return `${number} (${streetAddress1 ?? 'no street'}, ${zipCode ?? 'no zip code'}; ${point})`
}

function purchaseWords(purchase: Partial<Purchase>): Words<Purchase> {
  const { at, timeZone, dateOnly } = { ...examplePurchase, ...purchase }
  return {
    source: (source) => source,
    amount: money,
    currency: (currency) => `in ${currency}`,
    hasBooks: (has) => (has ? '' : 'the publisher keeps no books in it'),
    at: () => (dateOnly ? '' : `${toTime(at, timeZone)} on the publisher’s clocks`),
    day: (day) => `${WEEK[toWeekday(day)]} ${day}`,
    timeZone: (zone) => (zone === 'UTC' ? '' : zone),
    dateOnly: () => 'time unknown',
    offerUid: (uid) => (uid === 'o' ? 'names the offer' : 'names another offer'),
    voucherCode: (code) => `code “${code}”`,
    place: placeWords,
    channel: (channel) => channel ?? '',
    items: (items) => `items ${items.map(itemWords).join('; ')}`,
  }
}

function placeWords({
  storeNumber,
  writtenNumber,
  street,
  city,
  state,
  zipCode,
  latitude,
  longitude,
}: Purchase['place']): string {
  const point = latitude === undefined ? undefined : `${latitude}, ${longitude}`
  const number = storeNumber === undefined ? undefined : `store ${storeNumber}`
  const written = writtenNumber === undefined ? undefined : `${writtenNumber} in the descriptor`
  return [number, written, street, city, state, zipCode, point].filter((part) => part !== undefined).join(', ')
}

function itemWords({ sku, productGroup, amount, refunded }: BoughtItem): string {
  const name = [productGroup, sku === null ? null : `SKU ${sku.trim()}`].filter((part) => part !== null).join(' ')
  const back = refunded === 0n ? '' : ` (${money(refunded)} given back)`
  return `${name === '' ? 'unnamed' : name} ${money(amount)}${back}`
}

const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const USER_WORDS: Words<Circumstances> = {
  standing: (standing) => standing,
  card: (card) => `card ${card.replaceAll('_', ' ')}`,
  used: () => 'has used it',
  limits: ({ isActivated, taken, code }) =>
    [
      ...(isActivated ? ['activated it'] : []),
      ...[...taken.values()].map(({ uses, reward }) => `had ${uses} uses of it, worth ${money(reward)}`),
      ...(code === 'none' ? [] : [`the code is ${code}`]),
    ].join(', '),
  previousPurchaseAt: (at) =>
    at === null ? 'no earlier purchase' : `bought ${(AT.getTime() - at.getTime()) / 86_400_000} days before`,
}

const AMOUNT_WORDS: Words<Amounts> = {
  gross: (amount) => `gross ${money(amount)}`,
  fee: (amount) => `fee ${money(amount)}`,
  publisher: (amount) => `publisher ${money(amount)}`,
  user: (amount) => `user ${money(amount)}`,
  discount: (amount) => `at checkout ${money(amount)}`,
}

function money(minor: bigint | null): string {
  return formatDecimal(minor ?? 0n, 'USD')
}

function percent(ppm: number): string {
  return `${ppmToPercent(ppm)}%`
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await writeFile(FILE, offersDocument())
}
