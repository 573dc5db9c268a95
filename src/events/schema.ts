import Type, { type Static } from 'typebox'
import {
  EXPECTED,
  enumField,
  idField,
  instantField,
  named,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  strictObject,
  textField,
} from '../platform/http/index.ts'
import { ENVIRONMENTS } from '../tenants/publishers/index.ts'
import { ATTEMPT, DELIVERY, DELIVERY_STATUSES, type Delivery, type ShownAttempt } from './delivery/delivery.ts'
import { DECIDES } from './endpoints/endpoint.ts'
import { buildEventBody, type NumberedEvent } from './event-body.ts'
import { EVENT_TYPES } from './record.ts'

const SEQUENCE_MAX = Number.MAX_SAFE_INTEGER
const sequence = (minimum: number, description: string) => Type.Integer({ minimum, maximum: SEQUENCE_MAX, description })
const json = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const EventSchema = namedObject('Event', {
  id: Type.String(),
  type: Type.String(),
  created_at: Type.String(),
  publisher_id: Type.String(),
  environment: named('Environment', enumField(ENVIRONMENTS)),
  sequence: Type.Integer(),
  data: json,
  previous: nullable(json),
})
export const eventExample = {
  id: 'evt_01m9x3k2c8f0vt6r4b7n5hzq1d',
  type: 'user.created',
  created_at: '2026-11-21T10:15:30.000Z',
  publisher_id: 'pub_01m9x3jzq4e7w9s2k6t8y0a3bd',
  environment: 'sandbox',
  sequence: 42,
  data: {
    svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
    publisher_user_id: 'user-1',
    email: null,
    primary_zip_code: '10001',
    account_status: 'PENDING',
    attributes: null,
    created_at: '2026-11-21T10:15:30Z',
    updated_at: '2026-11-21T10:15:30Z',
    version: 1,
  },
  previous: null,
} as const

export const TestDataSchema = namedObject('WebhookTestData', {
  endpoint_id: Type.String(),
  message: Type.String({ description: 'States that this is a test.' }),
  version: Type.Integer({ description: 'Always 1.' }),
})
export const FeedQuery = strictObject({
  after: Type.Optional(
    sequence(0, 'Last sequence already received. If omitted, the feed starts at the oldest event kept.'),
  ),
  cursor: Type.Optional(textField(40, 'The `next_cursor` of the last page. Use it instead of `after`.')),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of events. Defaults to 30.' }),
  ),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Alias for `limit`.' })),
})
export const FeedSchema = namedObject('EventFeed', {
  content: Type.Array(EventSchema),
  next_after: Type.Integer(),
  next_cursor: Type.String(),
})

export const EndpointParams = Type.Object({ endpoint_id: idField('The endpoint.') })
export const DeliveryParams = Type.Object({ delivery_id: idField('The delivery.') })

const url = () =>
  textField(
    2048,
    "URL to send to. Must be https, except for addresses on a developer's own machine in a sandbox that runs there.",
  )
const description = () => Type.Optional(nullable(textField(500, 'What the endpoint is for; visible only to you.')))
const decidesOutcomes = () => Type.Optional(Type.Boolean({ description: DECIDES }))
const eventTypes = (about: string) =>
  Type.Optional(
    nullable(
      Type.Array(named('EventType', enumField(EVENT_TYPES)), {
        minItems: 1,
        maxItems: EVENT_TYPES.length,
        uniqueItems: true,
        description: about,
      }),
    ),
  )

export const NewEndpointSchema = namedStrictObject('NewWebhookEndpoint', {
  url: url(),
  event_types: eventTypes('Event types to send; by default all types, including future ones.'),
  description: description(),
  decides_outcomes: decidesOutcomes(),
})
const endpointChanges = {
  url: Type.Optional(url()),
  event_types: eventTypes('Types to send, or null for all types, including future ones.'),
  description: description(),
  decides_outcomes: decidesOutcomes(),
}
export const EndpointChangesSchema = namedStrictObject('WebhookEndpointChanges', {
  ...endpointChanges,
  expected: Type.Optional(namedStrictObject('ExpectedWebhookEndpoint', endpointChanges, { description: EXPECTED })),
  disabled: Type.Optional(Type.Boolean({ description: 'True to stop sending events, false to resume.' })),
})
export const RecoverySchema = strictObject({ since: instantField('Time from which events may be missing.') })
export const RecoveredSchema = namedObject('WebhookRecovery', {
  after: Type.Integer({ description: 'Sequence number of the last event before that time.' }),
  until: Type.Integer(),
  dropped_until: nullable(
    Type.Integer({
      description:
        'Null if every event since that time is still stored. Otherwise the sequence of the last event that is not: events up to it are not sent, even if they happened after that time.',
    }),
  ),
})
export const TestedSchema = namedObject('WebhookTest', { event_id: Type.String(), event_type: Type.String() })

export const AttemptsSchema = namedObject('WebhookAttemptList', {
  delivery: DELIVERY.schema,
  event: nullable(EventSchema),
  content: Type.Array(ATTEMPT.schema),
})
export const DeliveryQuery = strictObject({
  endpoint_id: Type.Optional(idField('Only deliveries to this endpoint.')),
  status: Type.Optional(enumField(DELIVERY_STATUSES, 'Only deliveries with this status.')),
  event_type: Type.Optional(enumField(EVENT_TYPES, 'Only deliveries of events of this type.')),
  ...pageQuery,
})

export const RangeSchema = namedStrictObject('WebhookReplay', {
  after: sequence(0, 'Only events after this sequence.'),
  until: Type.Optional(sequence(1, 'Last sequence to replay, inclusive; the newest if omitted.')),
})
export const ReplayedSchema = namedObject('WebhookReplayProgress', {
  replayed: Type.Integer(),
  until: Type.Integer(),
  next_after: nullable(Type.Integer({ description: 'Value of `after` for the remaining events; null when done.' })),
})

export function presentEvent(event: NumberedEvent): Static<typeof EventSchema> {
  return JSON.parse(buildEventBody(event))
}

export function presentAttempts(
  delivery: Delivery,
  event: NumberedEvent | null,
  attempts: readonly ShownAttempt[],
): Static<typeof AttemptsSchema> {
  const content = attempts.toReversed().map(ATTEMPT.present)
  return { delivery: DELIVERY.present(delivery), event: event === null ? null : presentEvent(event), content }
}
