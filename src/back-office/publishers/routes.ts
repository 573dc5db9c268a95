import Type from 'typebox'
import { splitGross } from '../../catalog/offers/index.ts'
import type { Reader } from '../../platform/db/database.ts'
import { currencyField, namedStrictObject, strictObject, textField } from '../../platform/http/index.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { AMOUNT_MAX, getExponent, roundHalfUp, toMinor } from '../../platform/money.ts'
import { money, text } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import type { Providers } from '../../purchases/linker/index.ts'
import {
  faultAt,
  listOperation,
  type OperatorDeps,
  type OperatorOperation,
  PublisherParams,
  parsePublisherId,
} from '../../tenants/access/index.ts'
import { getPublisher, listAllowed, PUBLISHER, toPublisher } from '../../tenants/publishers/index.ts'
import { addCurrencyAs, allowAs, changePublisherAs, createPublisherAs, disallowAs } from './publishers.ts'
import { PUBLISHER_LIST } from './queries.ts'
import { LISTED_PUBLISHER, NewPublisherSchema, PUBLISHER_DETAIL, PublisherChangesSchema, parsePpm } from './schema.ts'

/** Dependencies of the publisher routes. */
export type PublisherRouteDeps = OperatorDeps & {
  /** The providers that link cards, by environment. */
  readonly providers: Providers
}

/** Shared by the operations that change a publisher. */
const CHANGE = {
  config: { permission: 'publishers:change' },
  params: PublisherParams,
  answer: PUBLISHER_DETAIL.schema,
  example: PUBLISHER_DETAIL.example,
} as const

/** Registers the routes for publishers and their settings, equivalent to `laurel publishers` and `laurel allow`. */
export function publisherRoutes(operation: OperatorOperation, deps: PublisherRouteDeps): void {
  readRoutes(operation, deps)
  changeRoutes(operation, deps)
  returnAddressRoutes(operation, deps)
  previewRoute(operation)
}

function readRoutes(operation: OperatorOperation, { db }: PublisherRouteDeps): void {
  listOperation(operation, db, {
    route: 'GET /operator/publishers',
    permission: 'publishers:read',
    id: 'listPublishers',
    summary: 'List publishers in order of creation',
    description: "Includes each publisher's settings and number of users.",
    list: PUBLISHER_LIST,
    resource: LISTED_PUBLISHER,
    present: async (rows) => rows.map((row) => LISTED_PUBLISHER.present({ ...toPublisher(row), users: row.users })),
  })

  operation('GET /operator/publishers/:publisher_id', {
    config: { permission: 'publishers:read' },
    id: 'getPublisher',
    summary: 'Get a publisher with all its settings',
    description: 'Includes the addresses and applications that the link page may return to.',
    params: PublisherParams,
    answer: PUBLISHER_DETAIL.schema,
    example: PUBLISHER_DETAIL.example,
    refusals: ['publisher_not_found'],
    handler: async ({ params }) => readDetail(db.reader, parsePublisherId(params.publisher_id)),
  })
}

async function readDetail(reader: Reader, publisherId: PublisherId) {
  const publisher = await getPublisher(reader, publisherId)
  return PUBLISHER_DETAIL.present({ ...publisher, ...(await listAllowed(reader, publisherId)) })
}

function changeRoutes(operation: OperatorOperation, { clock, providers: linkers }: PublisherRouteDeps): void {
  operation('POST /operator/publishers', {
    config: { permission: 'publishers:change' },
    id: 'createPublisher',
    summary: 'Create a publisher',
    description:
      'The publisher starts with default settings and no key. A production publisher whose users link cards is refused if the service links only to a simulator.',
    body: NewPublisherSchema,
    bodyExample: { name: 'Acme Rewards', environment: 'sandbox' },
    answer: PUBLISHER.schema,
    example: PUBLISHER.example,
    refusals: ['setting_invalid'],
    handler: async ({ body, actor, once }) => {
      const { name, environment, currency = 'USD', time_zone = 'UTC', links_cards } = body
      const input = {
        name,
        environment,
        currency,
        timeZone: time_zone,
        ...(links_cards === undefined ? {} : { linksCards: links_cards }),
      }
      return once(async (tx) =>
        PUBLISHER.present(await createPublisherAs(tx, input, { linkers, by: actor }, clock.now())),
      )
    },
  })

  operation('PATCH /operator/publishers/:publisher_id', {
    ...CHANGE,
    id: 'changePublisher',
    summary: "Change a publisher's settings",
    description:
      'Changes only the fields you send. Anything already decided keeps its terms. Use `expected` to avoid overwriting a change made by someone else in the meantime.',
    body: PublisherChangesSchema,
    bodyExample: { share_percent: 20, limits: { currency: 'USD', redemption_minimum: 5 } },
    refusals: ['currency_unknown', 'setting_invalid', 'publisher_not_found', 'changed_meanwhile'],
    handler: async ({ params, body, actor, once }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      return once(async (tx) => {
        await changePublisherAs(tx, publisherId, body, { linkers, by: actor }, clock.now())
        return readDetail(tx, publisherId)
      })
    },
  })

  operation('POST /operator/publishers/:publisher_id/currencies', {
    ...CHANGE,
    id: 'addPublisherCurrency',
    summary: "Add a currency to a publisher's books",
    description:
      'Cannot be undone. Until limits are set for the currency, everything in it requires approval by a person.',
    body: namedStrictObject('NewCurrency', { currency: currencyField() }),
    bodyExample: { currency: 'EUR' },
    refusals: ['setting_invalid', 'publisher_not_found'],
    handler: async ({ params, body, actor, once }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      return once(async (tx) => {
        await addCurrencyAs(tx, publisherId, body.currency, actor, clock.now())
        return readDetail(tx, publisherId)
      })
    },
  })
}

const RETURN_VALUE_MAX = 2048

function returnAddressRoutes(operation: OperatorOperation, { clock }: PublisherRouteDeps): void {
  operation('POST /operator/publishers/:publisher_id/return-addresses', {
    ...CHANGE,
    id: 'allowReturnAddress',
    summary: 'Allow the link page to return to an address or an application',
    description: 'Provide exactly one of the two.',
    body: namedStrictObject('ReturnAddress', {
      redirect_uri: Type.Optional(
        textField(RETURN_VALUE_MAX, 'An https URL without a query; * can stand for a subdomain.'),
      ),
      android_package: Type.Optional(textField(255, 'A package name, such as com.example.app.')),
    }),
    bodyExample: { redirect_uri: 'https://app.example/linked' },
    refusals: ['setting_invalid', 'publisher_not_found'],
    handler: async ({ params, body, actor, once }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      const { redirect_uri, android_package } = body
      if ((redirect_uri === undefined) === (android_package === undefined))
        throw faultAt('redirect_uri', 'or android_package is required, but not both')
      const asked =
        redirect_uri === undefined ? { androidPackage: android_package ?? '' } : { redirectUri: redirect_uri }
      return once(async (tx) => {
        await allowAs(tx, publisherId, asked, actor, clock.now())
        return readDetail(tx, publisherId)
      })
    },
  })

  operation('DELETE /operator/publishers/:publisher_id/return-addresses', {
    ...CHANGE,
    id: 'disallowReturnAddress',
    summary: 'Disallow a return address or application',
    description: 'Applies to link tokens issued from now on.',
    query: strictObject({
      value: textField(RETURN_VALUE_MAX, 'The address or application, exactly as listed for the publisher.'),
    }),
    refusals: ['publisher_not_found', 'not_on_list'],
    handler: async ({ params, query, actor, once }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      return once(async (tx) => {
        await disallowAs(tx, publisherId, query.value, actor, clock.now())
        return readDetail(tx, publisherId)
      })
    },
  })
}

const SPLIT = resource('CommissionSplit', {
  amount: money({ example: 100, description: 'Amount of the purchase.' }),
  currency: text({ example: 'USD' }),
  commission: money({
    property: 'gross',
    example: 5,
    description: 'Commission the advertiser pays for the purchase.',
  }),
  user_cashback: money({ property: 'user', example: 3.5, description: "The user's portion of the commission." }),
  publisher_share: money({
    property: 'publisher',
    example: 1,
    description: "The publisher's portion of the commission.",
  }),
  fee: money({ example: 0.5, description: "The service's portion of the commission." }),
})

function previewRoute(operation: OperatorOperation): void {
  operation('POST /operator/publishers/preview', {
    config: { permission: 'publishers:read' },
    id: 'previewPublisherSplit',
    summary: 'Preview how a commission is split between user, publisher and service',
    description:
      'Computed in the same way as rewards: fee and share are rounded down and the user gets the rest. Changes nothing.',
    body: namedStrictObject('CommissionSplitRequest', {
      fee_percent: Type.Number({ minimum: 0, maximum: 100, description: "The service's percentage of a commission." }),
      share_percent: Type.Number({
        minimum: 0,
        maximum: 100,
        description: "The publisher's percentage of a commission.",
      }),
      commission_percent: Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Commission the advertiser pays, as a percentage of the purchase.',
      }),
      amount: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: AMOUNT_MAX, description: 'Purchase amount. Defaults to 100.' }),
      ),
      currency: Type.Optional(currencyField('Defaults to USD.')),
    }),
    bodyExample: { fee_percent: 10, share_percent: 20, commission_percent: 5 },
    answer: SPLIT.schema,
    example: SPLIT.example,
    unkept: true,
    handler: async ({ body }) => {
      const { amount = 100, currency = 'USD' } = body
      const feePpm = parsePpm('fee_percent', body.fee_percent)
      const sharePpm = parsePpm('share_percent', body.share_percent)
      if (feePpm + sharePpm > 1_000_000) throw faultAt('share_percent', 'and fee must add up to at most 100')
      const minor = toMinor(amount, currency)
      if (minor === null)
        throw faultAt(
          'amount',
          `must be an amount in ${currency}, with at most ${getExponent(currency)} decimal places`,
        )
      const gross = roundHalfUp(minor * BigInt(parsePpm('commission_percent', body.commission_percent)))
      const split = splitGross({ feePpm, sharePpm, rewardType: 'CASHBACK_PERCENTAGE' }, gross)
      return SPLIT.present({ ...split, amount: minor, currency, gross })
    },
  })
}
