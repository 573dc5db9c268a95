import { secretField } from '../../platform/http/index.ts'
import { bigInteger, boolean, field, id, instant, oneOf, text, texts } from '../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { ENDPOINT_STATUSES } from '../rules.ts'

export const DECIDES =
  "If true, the receiver's response to `redemption.sent` is the outcome of the redemption. Setting this to true, or changing the URL of such an endpoint, requires the scope rewards:write."

export const ENDPOINT = resource('WebhookEndpoint', {
  endpoint_id: id('whe', { example: 'whe_01m9x3k9h2d5q8w1e4r7t0y3uc' }),
  url: text({ example: 'https://example.com/webhooks' }),
  event_types: texts({ nullable: true, example: ['transaction.created', 'transaction.updated'] }),
  description: text({
    nullable: true,
    example: 'Cashback notifications for the app',
    description: 'What the endpoint is for; visible only to you.',
  }),
  decides_outcomes: boolean({ example: false, description: DECIDES }),
  status: oneOf(ENDPOINT_STATUSES, { example: 'enabled' }),
  failing_since: instant({
    nullable: true,
    example: null,
    description: 'Time of the first failure since the last success.',
  }),
  stopped_after_sequence: bigInteger({
    nullable: true,
    example: null,
    description:
      'Sequence number of the last event before the endpoint stopped. Replay after this sequence to get the missed events.',
  }),
  created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
})

export type Endpoint = ResourceRow<typeof ENDPOINT>

/** An endpoint with its signing secret, as it is shown once. */
export const ENDPOINT_WITH_SECRET = resource('WebhookEndpointWithSecret', {
  ...ENDPOINT.fields,
  secret: field(
    secretField(),
    { joined: true, example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
    (secret: string) => secret,
  ),
})
