import Type, { type Static } from 'typebox'
import {
  EXPECTED,
  enumOf,
  idField,
  instantField,
  named,
  namedObject,
  namedStrictObject,
  nullable,
  pageQuery,
  secretField,
  strictObject,
  textField,
} from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import { type Delivery, type ShownAttempt, WAITS_FOR } from './delivery/delivery-queries.ts'
import type { Endpoint } from './endpoints/endpoint-queries.ts'
import type { EndpointWithSecret } from './endpoints/endpoints.ts'
import { bodyOf, type NumberedEvent } from './event-body.ts'
import { EVENT_TYPES } from './record.ts'

const SEQUENCE_MAX = Number.MAX_SAFE_INTEGER
const sequence = (minimum: number, description: string) => Type.Integer({ minimum, maximum: SEQUENCE_MAX, description })
const json = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const EventSchema = namedObject('Event', {
  id: Type.String(),
  type: Type.String(),
  created_at: Type.String(),
  publisher_id: Type.String(),
  environment: named('Environment', enumOf(['sandbox', 'production'])),
  sequence: Type.Integer(),
  data: json,
  previous: nullable(json),
})
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
const DECIDES =
  "If true, the receiver's response to `redemption.sent` is the outcome of the redemption. Setting this to true, or changing the URL of such an endpoint, requires the scope rewards:write."
const decidesOutcomes = () => Type.Optional(Type.Boolean({ description: DECIDES }))
const eventTypes = (about: string) =>
  Type.Optional(
    nullable(
      Type.Array(named('EventType', enumOf(EVENT_TYPES)), {
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
export const RecoverySchema = strictObject({ since: instantField('Time since which events may be missing.') })
export const RecoveredSchema = namedObject('WebhookRecovery', {
  after: Type.Integer({ description: 'Last sequence before the instant.' }),
  until: Type.Integer(),
  dropped_until: nullable(
    Type.Integer({
      description:
        'Null if every event since the instant is still stored. Otherwise the sequence of the last event that is not: events up to it are not sent, even if they happened after the instant.',
    }),
  ),
})
const endpointMembers = {
  endpoint_id: Type.String(),
  url: Type.String(),
  event_types: nullable(Type.Array(Type.String())),
  description: nullable(Type.String({ description: 'What the endpoint is for; visible only to you.' })),
  decides_outcomes: Type.Boolean({ description: DECIDES }),
  status: enumOf(['enabled', 'paused', 'disabled']),
  failing_since: nullable(Type.String({ description: 'Time of the first failure since the last success.' })),
  stopped_after_sequence: nullable(
    Type.Integer({
      description: 'Last sequence before the endpoint stopped. Replay after this sequence to get the missed events.',
    }),
  ),
  created_at: Type.String(),
}
export const EndpointSchema = namedObject('WebhookEndpoint', endpointMembers)
export const EndpointWithSecretSchema = namedObject('WebhookEndpointWithSecret', {
  ...endpointMembers,
  secret: secretField(),
})
export const TestedSchema = namedObject('WebhookTest', { event_id: Type.String(), event_type: Type.String() })

const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const
export const DeliverySchema = namedObject('WebhookDelivery', {
  delivery_id: Type.String(),
  endpoint_id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  sequence: Type.Integer(),
  status: enumOf(DELIVERY_STATUSES),
  attempts: Type.Integer(),
  last_attempt_at: nullable(Type.String()),
  next_attempt_at: nullable(
    Type.String({ description: 'When the next attempt is due; null before the first attempt.' }),
  ),
  waits_for: nullable(
    enumOf(
      WAITS_FOR,
      'Why a pending delivery has not been sent yet. endpoint: the endpoint is paused or disabled, or requested a pause by responding with 429. earlier_delivery: an earlier delivery about the same user must be sent first. next_attempt: waiting for the time in next_attempt_at. sender: due, and sent as soon as a sender is free. null: not pending.',
    ),
  ),
  response_status: nullable(Type.Integer()),
  error: nullable(Type.String({ description: 'Why the last attempt failed, or null if it did not.' })),
})
export const AttemptsSchema = namedObject('WebhookAttemptList', {
  delivery: DeliverySchema,
  event: nullable(EventSchema),
  content: Type.Array(
    namedObject('WebhookAttempt', {
      attempted_at: Type.String(),
      response_status: nullable(Type.Integer()),
      error: nullable(Type.String({ description: 'Why the attempt failed, or null if it did not.' })),
      latency_ms: nullable(
        Type.Integer({ description: 'Time from sending the request to the end of the response, in milliseconds.' }),
      ),
      answer: nullable(Type.String({ description: 'First KB of the response.' })),
    }),
  ),
})
export const DeliveryQuery = strictObject({
  endpoint_id: Type.Optional(idField('Only deliveries to this endpoint.')),
  status: Type.Optional(enumOf(DELIVERY_STATUSES, 'Only deliveries with this status.')),
  event_type: Type.Optional(enumOf(EVENT_TYPES, 'Only deliveries of events of this type.')),
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
  return JSON.parse(bodyOf(event))
}

export function presentEndpoint(endpoint: Endpoint): Static<typeof EndpointSchema> {
  return {
    endpoint_id: encodeId('whe', endpoint.endpointId),
    url: endpoint.url,
    event_types: endpoint.eventTypes === null ? null : [...endpoint.eventTypes],
    description: endpoint.description,
    decides_outcomes: endpoint.decidesOutcomes,
    status: endpoint.status,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    stopped_after_sequence: endpoint.stoppedAfterSequence === null ? null : Number(endpoint.stoppedAfterSequence),
    created_at: endpoint.createdAt.toISOString(),
  }
}

export function presentWithSecret(created: EndpointWithSecret): Static<typeof EndpointWithSecretSchema> {
  return { ...presentEndpoint(created.endpoint), secret: created.secret }
}

export function presentDelivery(delivery: Delivery): Static<typeof DeliverySchema> {
  return {
    delivery_id: encodeId('dlv', delivery.deliveryId),
    endpoint_id: encodeId('whe', delivery.endpointId),
    event_id: encodeId('evt', delivery.eventId),
    event_type: delivery.type,
    sequence: Number(delivery.sequence),
    status: delivery.status,
    attempts: delivery.attempts,
    last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    waits_for: delivery.waitsFor,
    response_status: delivery.responseStatus,
    error: delivery.error,
  }
}

export function presentAttempts(
  delivery: Delivery,
  event: NumberedEvent | null,
  attempts: readonly ShownAttempt[],
): Static<typeof AttemptsSchema> {
  const content = attempts.toReversed().map((one) => ({
    attempted_at: new Date(one.at).toISOString(),
    response_status: one.responseStatus,
    error: one.error,
    latency_ms: one.latencyMs,
    answer: one.answer,
  }))
  return { delivery: presentDelivery(delivery), event: event === null ? null : presentEvent(event), content }
}
