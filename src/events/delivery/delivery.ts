import Type from 'typebox'
import { bigInteger, field, id, instant, integer, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'exhausted'] as const

/**
 * The reason why a delivery is still pending: its endpoint is stopped or throttled, an earlier delivery about the same
 * user to the same endpoint is pending, its next attempt is not due, or no sender is free.
 */
const WAITS_FOR = ['endpoint', 'earlier_delivery', 'next_attempt', 'sender'] as const

export const DELIVERY = resource(
  'WebhookDelivery',
  {
    delivery_id: id('dlv', { example: 'dlv_01m9x3kbx6v9c2n5m8q1w4e7rt' }),
    endpoint_id: id('whe', { example: 'whe_01m9x3k9h2d5q8w1e4r7t0y3uc' }),
    event_id: id('evt', { example: 'evt_01m9x3k2c8f0vt6r4b7n5hzq1d' }),
    event_type: text({ property: 'type', example: 'user.created' }),
    sequence: bigInteger({ example: 42 }),
    status: oneOf(DELIVERY_STATUSES, { example: 'delivered' }),
    attempts: integer({ example: 1 }),
    last_attempt_at: instant({ nullable: true, example: '2026-11-21T10:15:30.210Z' }),
    next_attempt_at: instant({
      nullable: true,
      example: null,
      description: 'When the next attempt is due; null before the first attempt.',
    }),
    waits_for: oneOf(WAITS_FOR, {
      joined: true,
      nullable: true,
      example: null,
      description:
        'Why a pending delivery has not been sent yet. endpoint: the endpoint is paused or disabled, or requested a pause by responding with 429. earlier_delivery: an earlier delivery about the same user must be sent first. next_attempt: waiting for the time in next_attempt_at. sender: due, and sent as soon as a sender is free. null: not pending.',
    }),
    response_status: integer({ nullable: true, example: 200 }),
    error: text({
      nullable: true,
      example: null,
      description: 'Why the last attempt failed, or null if it did not.',
    }),
  },
  {
    /** The subject of the event: a user, or the publisher itself. */
    userId: column<string>(),
  },
)

export type Delivery = ResourceRow<typeof DELIVERY>
export type DeliveryId = Delivery['deliveryId']

/** An attempt to deliver an event, as it is stored in JSON. */
export const ATTEMPT = resource('WebhookAttempt', {
  attempted_at: field(Type.String(), { property: 'at', example: '2026-11-21T10:15:30.210Z' }, (at: string) =>
    new Date(at).toISOString(),
  ),
  response_status: integer({ nullable: true, example: 200 }),
  error: text({ nullable: true, example: null, description: 'Why the attempt failed, or null if it did not.' }),
  latency_ms: integer({
    nullable: true,
    example: 84,
    description: 'Time from sending the request to the end of the response, in milliseconds.',
  }),
  answer: text({ nullable: true, example: 'ok', description: 'First KB of the response.' }),
})

export type ShownAttempt = ResourceRow<typeof ATTEMPT>
