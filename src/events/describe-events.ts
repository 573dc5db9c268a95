import Type, { type TSchema } from 'typebox'
import { enumOf, namedObject, nullable } from '../platform/http/index.ts'
import type { EventType } from './record.ts'

/** What an event of a type tells, for the API reference. */
export type EventDescription = {
  readonly summary: string
  readonly data: TSchema & { readonly title?: string; readonly properties: Readonly<Record<string, TSchema>> }
  /** The object changes, and `previous` has the members that did. */
  readonly changes?: true
  /** What the receiver may answer, if that means something. */
  readonly answer?: TSchema
}

/** The members that all events have. */
const envelope = {
  id: Type.String(),
  created_at: Type.String(),
  publisher_id: Type.String(),
  environment: enumOf(['sandbox', 'production']),
  sequence: Type.Integer(),
}

/**
 * The parts of the OpenAPI document about events: a schema for each type with its own data, `Event` as the choice
 * between them by `type`, and a webhook for each type.
 */
export function describeEvents(events: Readonly<Record<EventType, EventDescription>>) {
  const types = Object.entries(events).map(([type, event]) => ({ type, ...event, schema: buildSchema(type, event) }))
  const mapping = Object.fromEntries(types.map(({ type }) => [type, `#/components/schemas/${nameOf(type)}`]))
  const choice = {
    title: 'Event',
    oneOf: types.map(({ schema }) => schema),
    discriminator: { propertyName: 'type', mapping },
  }
  return {
    schemas: { EventEnvelope: Type.Object(envelope), Event: choice },
    webhooks: Object.fromEntries(
      types.map(({ type, schema, ...event }) => [type, { post: webhookOf(type, schema, event) }]),
    ),
  }
}

function nameOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

function buildSchema(type: string, { data, changes }: EventDescription): TSchema {
  // Some clients drop members that can only be null.
  const previous = nullable(changes ? listFormerMembers(data) : Type.Object({}))
  return namedObject(nameOf(type), { ...envelope, type: Type.Literal(type), data, previous })
}

/** Some of the members of an object, as they were before a change. */
function listFormerMembers({ title = '', properties }: EventDescription['data']): TSchema {
  const members = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)] as const)
  return namedObject(`Former${title}`, Object.fromEntries(members))
}

function webhookOf(type: string, schema: TSchema, { summary, answer }: Omit<EventDescription, 'data'>): object {
  const content = answer === undefined ? {} : { content: { 'application/json': { schema: answer } } }
  return {
    operationId: `receive${nameOf(type)}`,
    summary,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS.map(([name, description, pattern]) => ({
      ...{ name, in: 'header', required: true, description },
      schema: { type: 'string', ...(pattern !== undefined && { pattern }) },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received; it is not sent again.', ...content },
      '410': { description: 'Disables the endpoint.' },
    },
  }
}

/** Standard Webhooks; docs/webhooks.md says how to verify the signature. */
const HEADERS: readonly (readonly [name: string, description: string, pattern?: string])[] = [
  ['webhook-id', 'Identifier of the event: the same at every attempt, so that repeats are recognized.', '^evt_'],
  ['webhook-timestamp', 'When this attempt was signed, in seconds since 1970; reject old ones.', '^\\d+$'],
  [
    'webhook-signature',
    'One or two signatures, separated by a space: `v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64.',
  ],
]
