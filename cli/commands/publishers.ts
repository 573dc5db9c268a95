import type { Command } from 'commander'
import { addCurrencyAs, changeSettingsAs, createPublisherWithKeyAs } from '../../src/back-office/index.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { formatDecimal, ppmToPercent, toMinor } from '../../src/platform/money.ts'
import {
  CLAIM_DEFAULTS,
  type changeSettings,
  getCurrencies,
  getLimits,
  getLinkName,
  LIMITS,
  listPublishers,
  type MoneyLimits,
  type Publisher,
  resolveCurrency,
} from '../../src/tenants/publishers/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { parseChoice, parseWholeNumber, readPercent, readPublisherId, usage } from '../options.ts'
import { shell } from '../shell.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'
import { assortmentCommands } from './assortment.ts'
import { providerAccountCommands } from './provider-account.ts'

const LINKS_CARDS = 'false if its users link no cards, so no linking provider is needed'
// Fits an integer column and is far above any useful rate.
const RATE_MAX = 1_000_000

export function define(publishers: Command): void {
  defineChange(publishers, 'create', 'create a publisher and print its first API key, once')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--environment <environment>', 'sandbox or production', parseChoice('sandbox', 'production'))
    .option('--currency <code>', 'currency of its books (default: USD); add others with add-currency')
    .option('--time-zone <zone>', 'IANA time zone of its calendar days (default: UTC)')
    .option('--links-cards <boolean>', LINKS_CARDS, readBoolean)
    .action(create)
  defineCommand(publishers, 'list', 'list all publishers').action(list)
  withLimits(defineChange(publishers, 'set', 'change settings of a publisher'))
    .argument('<id>', 'the publisher (pub_…)', readPublisherId)
    .option('--name <name>', 'its name')
    .option('--fee <percent>', "the service's share of each commission", readPercent)
    .option('--share <percent>', "the publisher's share of each commission", readPercent)
    .option('--time-zone <zone>', 'IANA time zone of its calendar days')
    .option('--timestamp-format <format>', TIMESTAMPS, parseChoice('interface', 'rfc3339'))
    .option('--own-card-feed <boolean>', 'true if its users need not link cards', readBoolean)
    .option('--links-cards <boolean>', LINKS_CARDS, readBoolean)
    .option(
      '--stacking-policy <whose>',
      'which report earns the reward if a purchase is reported by card and by affiliate link: AFFILIATE, CARD or ' +
        'BOTH',
      parseChoice('AFFILIATE', 'CARD', 'BOTH'),
    )
    .option(
      '--marketplace-policy <who>',
      'which brand counts if a purchase from a merchant with offers is paid through a marketplace: MARKETPLACE or MERCHANT',
      parseChoice('MARKETPLACE', 'MERCHANT'),
    )
    .option('--link-name <name>', "name shown to users while they link; empty for the publisher's own name")
    .option('--link-language <code>', 'language of the link page, such as en')
    .option('--link-countries <codes>', 'countries whose banks can be linked, such as US,CA', readList)
    .option('--link-products <names>', 'provider products to request, including transactions', readList)
    .option(
      '--link-account-subtypes <names>',
      'account subtypes that can be linked, such as credit card,checking',
      readList,
    )
    .option(
      '--redemption-methods <names>',
      'ways to pay users out: publisher, file, and in sandboxes also simulated and gift_card',
      readList,
    )
    .option(
      '--destination-cool-down-hours <hours>',
      'how long to wait before paying a payout destination that replaces another',
      readHours,
    )
    .option('--claim-days <count>', 'number of days within which a claim must be decided', parseWholeNumber(RATE_MAX))
    .option(
      '--claim-default <default>',
      'what happens to a claim at its deadline: decline or keep_open',
      parseChoice(...CLAIM_DEFAULTS),
    )
    .option('--reads-per-second <count>', 'rate limit per key', parseWholeNumber(RATE_MAX))
    .option('--writes-per-second <count>', 'rate limit per key', parseWholeNumber(RATE_MAX))
    .option('--events-per-second <count>', 'rate limit per key on reported events', parseWholeNumber(RATE_MAX))
    .action(set)
  addCurrencyCommand(publishers)
  assortmentCommands(publishers)
  providerAccountCommands(publishers)
}

function addCurrencyCommand(publishers: Command): void {
  defineChange(
    publishers,
    'add-currency',
    'also keep books in another currency, permanently; until limits are set, everything in it needs approval',
  )
    .argument('<id>', 'the publisher (pub_…)', readPublisherId)
    .argument('<code>', 'the currency, such as EUR')
    .action(addCurrencyTo)
}

/** Adds the options of `publishers set` that limit redemptions and adjustments or require approval for them. */
function withLimits(command: Command): Command {
  return command
    .option('--currency <code>', "currency of the following amounts (default: the publisher's first currency)")
    .option('--redemption-minimum <amount>', 'the smallest redemption, such as 5')
    .option(
      '--redemption-user-day-max <amount>',
      'maximum amount that a user can redeem per day, such as 500; none: no limit',
    )
    .option(
      '--redemption-user-day-count <count>',
      'maximum number of redemptions per user per day; none: no limit',
      readCount,
    )
    .option('--redemption-review-above <amount>', 'above this amount, an operator must approve; none: no approval')
    .option(
      '--redemption-two-people-above <amount>',
      'above this amount, two operators must approve; none: one is enough',
    )
    .option(
      '--adjustment-alone-max <amount>',
      "total that one operator may give to users per day without a second person's approval",
    )
}

// The width of the longest setting name.
const NAME_WIDTH = 31

const TIMESTAMPS =
  'how users see created_at and updated_at: interface (2026-11-21T10:15:30:Z) or rfc3339 (2026-11-21T10:15:30Z)'

type Create = {
  readonly name: string
  readonly environment: 'sandbox' | 'production'
  readonly currency?: string
  readonly timeZone?: string
  readonly linksCards?: boolean
  readonly json?: true
}

async function create({ json, by: person, name: given, ...input }: Create & By): Promise<void> {
  const name = parseName(given)
  const { linkers } = readConfig(shell().env)
  const made = await changeAs(person, (tx, { actor, now }) =>
    createPublisherWithKeyAs(tx, { ...input, name }, { linkers, by: actor }, now),
  )
  const shown = { ...present(made.publisher), key_id: encodeId('key', made.key.keyId), api_key: made.key.apiKey }
  if (json) return answerJson(shown)
  answer(`publisher_id  ${shown.publisher_id}`)
  answer(`api_key       ${shown.api_key}`)
  note('The key is shown only this once. Only its hash is stored.')
}

function parseName(given: string): string {
  const name = given.trim()
  if (name.length < 1 || name.length > 255) throw usage('--name must have 1 to 255 characters.')
  return name
}

async function list({ json }: { readonly json?: true }): Promise<void> {
  const publishers = await withStorage(({ db }) => listPublishers(db.reader))
  if (json) return answerJson({ publishers: publishers.map(present) })
  if (publishers.length === 0) return note('There are no publishers yet. Create one with `laurel publishers create`.')
  const columns = ['publisher_id', 'name', 'environment', 'currencies', 'time zone', '>fee', '>share']
  const rows = publishers.map((one) => [
    ...[encodeId('pub', one.id), one.name, one.environment, getCurrencies(one).join(', '), one.timeZone],
    ...[`${ppmToPercent(one.feePpm)}%`, `${ppmToPercent(one.sharePpm)}%`],
  ])
  answerTable(columns, rows)
}

type SettingChanges = Parameters<typeof changeSettings>[2]
/** Options that take an amount or `none`. */
type AmountOptions = Partial<Record<keyof MoneyLimits, string>>

type Set = Omit<SettingChanges, 'feePpm' | 'sharePpm' | 'linkName' | keyof AmountOptions> &
  AmountOptions & {
    readonly fee?: number
    readonly share?: number
    readonly linkName?: string
    readonly currency?: string
    readonly json?: true
  }

async function set(publisherId: PublisherId, options: Set & By): Promise<void> {
  const { json, by, name, fee, share, linkName, currency, ...others } = options
  const amounts = Object.fromEntries(
    LIMITS.flatMap((name) => (others[name] === undefined ? [] : [[name, others[name]]])),
  )
  const settings = Object.fromEntries(Object.entries(others).filter(([name]) => !(name in amounts)))
  const given: SettingChanges = {
    ...settings,
    ...(name === undefined ? {} : { name: parseName(name) }),
    ...(fee === undefined ? {} : { feePpm: fee }),
    ...(share === undefined ? {} : { sharePpm: share }),
    ...(linkName === undefined ? {} : { linkName: linkName.trim() === '' ? null : linkName.trim() }),
  }
  if (Object.keys({ ...given, ...amounts }).length === 0)
    throw usage('Specify at least one setting to change. See --help for the list.')
  const planChanges = (former: Publisher) => {
    const named = resolveCurrency(former, currency)
    return { settings: { ...given, ...parseMinor(amounts, named) }, currency: named }
  }
  const { linkers } = readConfig(shell().env)
  const publisher = await changeAs(by, (tx, { actor, now }) =>
    changeSettingsAs(tx, publisherId, planChanges, { linkers, by: actor }, now),
  )
  show(publisher, json)
}

async function addCurrencyTo(publisherId: PublisherId, code: string, { json, by }: { readonly json?: true } & By) {
  const publisher = await changeAs(by, (tx, { actor, now }) =>
    addCurrencyAs(tx, publisherId, code.toUpperCase(), actor, now),
  )
  show(publisher, json)
}

function show(publisher: Publisher, json: true | undefined): void {
  const settings = present(publisher)
  if (json) answerJson(settings)
  else for (const [name, value] of Object.entries(settings)) answer(`${name.padEnd(NAME_WIDTH)}  ${value ?? 'none'}`)
}

/** Amounts that cannot be `none`. */
const NEEDED: readonly string[] = ['redemptionMinimum', 'adjustmentAloneMax']

/** @throws UserError if an amount is invalid in the currency */
function parseMinor(amounts: Readonly<Record<string, string>>, currency: string): SettingChanges {
  const read = ([name, text]: [string, string]): [string, bigint | null] => {
    if (text === 'none' && !NEEDED.includes(name)) return [name, null]
    const minor = toMinor(text, currency)
    if (minor === null || minor < 0n) throw usage(`"${text}" is not an amount in ${currency}, such as 25.`)
    return [name, minor]
  }
  return Object.fromEntries(Object.entries(amounts).map(read))
}

function present(publisher: Publisher) {
  const [, ...further] = getCurrencies(publisher)
  return {
    publisher_id: encodeId('pub', publisher.id),
    name: publisher.name,
    environment: publisher.environment,
    currency: publisher.currency,
    time_zone: publisher.timeZone,
    timestamp_format: publisher.timestampFormat,
    own_card_feed: publisher.ownCardFeed,
    links_cards: publisher.linksCards,
    link_name: getLinkName(publisher),
    link_language: publisher.linkLanguage,
    link_countries: publisher.linkCountries.join(','),
    link_products: publisher.linkProducts.join(','),
    link_account_subtypes: publisher.linkAccountSubtypes.join(','),
    fee_percent: ppmToPercent(publisher.feePpm),
    share_percent: ppmToPercent(publisher.sharePpm),
    stacking_policy: publisher.stackingPolicy,
    marketplace_policy: publisher.marketplacePolicy,
    redemption_methods: publisher.redemptionMethods.join(','),
    ...presentLimits(publisher, publisher.currency),
    redemption_user_day_count: publisher.redemptionUserDayCount,
    destination_cool_down_hours: publisher.destinationCoolDownHours,
    claim_days: publisher.claimDays,
    claim_default: publisher.claimDefault,
    reads_per_second: publisher.readsPerSecond,
    writes_per_second: publisher.writesPerSecond,
    events_per_second: publisher.eventsPerSecond,
    ...Object.fromEntries(
      further.flatMap((currency) =>
        Object.entries(presentLimits(publisher, currency)).map(([name, value]) => [`${name}.${currency}`, value]),
      ),
    ),
  }
}

function presentLimits(publisher: Publisher, currency: string) {
  const limits = getLimits(publisher, currency)
  const amount = (minor: bigint | null) => (minor === null ? null : formatDecimal(minor, currency))
  return {
    redemption_minimum: amount(limits.redemptionMinimum),
    redemption_user_day_max: amount(limits.redemptionUserDayMax),
    redemption_review_above: amount(limits.redemptionReviewAbove),
    redemption_two_people_above: amount(limits.redemptionTwoPeopleAbove),
    adjustment_alone_max: amount(limits.adjustmentAloneMax),
  }
}

function readList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function readCount(text: string): number | null {
  return text === 'none' ? null : parseWholeNumber(RATE_MAX)(text)
}

function readHours(text: string): number {
  return text === '0' ? 0 : parseWholeNumber(RATE_MAX)(text)
}

function readBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw usage(`"${text}" must be true or false.`)
}
