import Type from 'typebox'
import { DAY_MS } from '../../platform/calendar.ts'
import { type App, enumField, namedObject, namedStrictObject } from '../../platform/http/index.ts'
import { field, id, oneOf, text, texts } from '../../platform/resource/fields.ts'
import { resource } from '../../platform/resource/resource.ts'
import {
  advanceClock,
  ENVIRONMENTS,
  getCurrencies,
  type Publisher,
  publisherNow,
  requireSandbox,
  SCOPES,
  type Scope,
  SETTINGS,
} from '../publishers/index.ts'
import { type OperationDeps, publisherOperations } from './publisher-operations.ts'

/**
 * Does all of a publisher's work that is due by an instant (src/worker.ts). Returns the number of feeds that could not
 * be read.
 */
export type DueWork = (publisher: Publisher, now: Date) => Promise<{ readonly unreadFeeds: number }>

// A century: the maximum total by which a clock may be ahead.
const ADVANCE_DAYS_MAX = 36_525

const ClockSchema = namedObject('SandboxClock', {
  now: Type.String({ format: 'date-time', description: "The sandbox's current time, in RFC 3339 format." }),
  offset_seconds: Type.Integer({ description: 'Seconds ahead of real time.' }),
})
const AdvanceSchema = namedStrictObject(
  'SandboxClockAdvance',
  {
    advance_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: ADVANCE_DAYS_MAX, description: 'Days to move the clock ahead.' }),
    ),
    advance_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ADVANCE_DAYS_MAX * 86_400,
        description: 'Additional seconds to move the clock ahead.',
      }),
    ),
  },
  { minProperties: 1 },
)
const AdvancedSchema = namedObject('AdvancedSandboxClock', {
  ...ClockSchema.properties,
  unread_feeds: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Feeds of linked logins that could not be read because the provider did not respond or the login is broken; they are read later automatically. Omitted when a repeated Idempotency-Key moves nothing.',
    }),
  ),
})
const example = { now: '2026-12-22T10:15:30.000Z', offset_seconds: 2_678_400 }

const OWN_PUBLISHER = resource('OwnPublisher', {
  publisher_id: id('pub', {
    property: 'id',
    example: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
    description: 'ID of the publisher.',
  }),
  name: SETTINGS.name,
  environment: oneOf(ENVIRONMENTS, { example: 'sandbox' }),
  currency: text({ example: 'USD', description: 'Default currency, used when a request specifies none.' }),
  currencies: texts({
    example: ['USD', 'EUR'],
    description: 'Currencies that the publisher keeps books in, starting with the default.',
  }),
  time_zone: SETTINGS.time_zone,
  scopes: field(
    Type.Array(enumField(SCOPES), { description: 'Scopes of the key or of the signed-in person.' }),
    { example: ['users:read'] },
    (scopes: readonly Scope[]) => scopes,
  ),
})

/** Registers the operation that describes the caller's publisher and scopes. */
export function ownPublisherRoutes(app: App, deps: OperationDeps): void {
  const operation = publisherOperations(app, deps, 'Publisher')
  operation('GET /publishers/me', {
    config: { scope: null },
    id: 'getOwnPublisher',
    summary: 'Get the publisher of a key and its permissions',
    description:
      'Also works for people who are signed in: with a publisher in `Laurel-Publisher`, it returns their permissions there.',
    answer: OWN_PUBLISHER.schema,
    example: OWN_PUBLISHER.example,
    handler: async ({ publisher, scopes }) =>
      OWN_PUBLISHER.present({ ...publisher, currencies: getCurrencies(publisher), scopes }),
  })
}

const NO_CLOCK = 'Only a sandbox has a clock that can be advanced.'

export function sandboxRoutes(app: App, deps: OperationDeps & { readonly doDueWork: DueWork }): void {
  const present = (publisher: Publisher) => ({
    now: publisherNow(publisher, deps.clock).toISOString(),
    offset_seconds: Math.round(publisher.clockOffsetMs / 1000),
  })

  const operation = publisherOperations(app, deps, 'Sandbox')
  operation('GET /sandbox/clock', {
    config: { scope: null },
    id: 'getSandboxClock',
    summary: "Get the sandbox's current time",
    description: 'This clock determines when rewards mature, terms become required and offers end.',
    answer: ClockSchema,
    example,
    refusals: ['sandbox_only'],
    handler: async ({ publisher }) => present(requireSandbox(publisher, NO_CLOCK)),
  })

  operation('POST /sandbox/clock', {
    config: { scope: 'transactions:write' },
    id: 'advanceSandboxClock',
    summary: "Advance the sandbox's clock",
    body: AdvanceSchema,
    answer: AdvancedSchema,
    example: { ...example, unread_feeds: 0 },
    description: 'All work that is due finishes before the response, except for `unread_feeds`.',
    bodyExample: { advance_days: 31 },
    refusals: ['setting_invalid', 'sandbox_only'],
    handler: async ({ body, publisher, once }) => {
      requireSandbox(publisher, NO_CLOCK)
      const aheadMs = (body.advance_days ?? 0) * DAY_MS + (body.advance_seconds ?? 0) * 1000
      let moved = publisher
      const answer = await once(async (tx) => {
        moved = await advanceClock(tx, publisher, aheadMs)
        return present(moved)
      })
      if (moved === publisher) return answer
      app.forgetPublishers()
      const { unreadFeeds } = await deps.doDueWork(moved, publisherNow(moved, deps.clock))
      return { ...answer, unread_feeds: unreadFeeds }
    },
  })
}
