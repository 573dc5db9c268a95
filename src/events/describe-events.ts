import Type, { type TSchema } from 'typebox'
import { enumField, namedObject, nullable } from '../platform/http/index.ts'
import { ENVIRONMENTS } from '../tenants/publishers/index.ts'
import type { EventType } from './record.ts'

/** A description of an event type, for the API reference. */
export type EventDescription = {
  readonly summary: string
  readonly data: TSchema & { readonly title?: string; readonly properties: Readonly<Record<string, TSchema>> }
  /** Set if the object can change. `previous` then contains the former values of the changed members. */
  readonly changes?: true
  /** The schema of a meaningful response from the receiver, if the type has one. */
  readonly answer?: TSchema
}

/** The members shared by all events. */
const envelope = {
  id: Type.String(),
  created_at: Type.String(),
  publisher_id: Type.String(),
  environment: enumField(ENVIRONMENTS),
  sequence: Type.Integer(),
}

/**
 * Builds the OpenAPI components for events: a schema and a webhook for each type, and `Event` as a union discriminated
 * by `type`.
 */
export function describeEvents(events: Readonly<Record<EventType, EventDescription>>) {
  const types = Object.entries(events).map(([type, event]) => ({ type, ...event, schema: buildSchema(type, event) }))
  const mapping = Object.fromEntries(types.map(({ type }) => [type, `#/components/schemas/${toSchemaName(type)}`]))
  const choice = {
    title: 'Event',
    oneOf: types.map(({ schema }) => schema),
    discriminator: { propertyName: 'type', mapping },
  }
  return {
    schemas: { EventEnvelope: Type.Object(envelope), Event: choice },
    webhooks: Object.fromEntries(
      types.map(({ type, schema, ...event }) => [type, { post: describeWebhook(type, schema, event) }]),
    ),
  }
}

function toSchemaName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

function buildSchema(type: string, { data, changes }: EventDescription): TSchema {
  // Some clients drop members that can only be null.
  const previous = nullable(changes ? listFormerMembers(data) : Type.Object({}))
  return namedObject(toSchemaName(type), { ...envelope, type: Type.Literal(type), data, previous })
}

/** Builds the schema for the previous values of an object's members. All are optional. */
function listFormerMembers({ title = '', properties }: EventDescription['data']): TSchema {
  const members = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)] as const)
  return namedObject(`Former${title}`, Object.fromEntries(members))
}

function describeWebhook(type: string, schema: TSchema, { summary, answer }: Omit<EventDescription, 'data'>): object {
  const content = answer === undefined ? {} : { content: { 'application/json': { schema: answer } } }
  return {
    operationId: `receive${toSchemaName(type)}`,
    summary,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS.map(([name, description, pattern]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string', ...(pattern !== undefined && { pattern }) },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received; will not be resent.', ...content },
      '410': { description: 'Disables the endpoint.' },
    },
  }
}

/** Standard Webhooks headers. docs/webhooks.md explains how to verify the signature. */
const HEADERS: readonly (readonly [name: string, description: string, pattern?: string])[] = [
  ['webhook-id', 'ID of the event. The same for every attempt, so that you can detect duplicates.', '^evt_'],
  ['webhook-timestamp', 'When this attempt was signed, in seconds since 1970. Reject old timestamps.', '^\\d+$'],
  [
    'webhook-signature',
    'One or two space-separated signatures, each `v1,` followed by the base64-encoded HMAC-SHA256 of `webhook-id.webhook-timestamp.body`.',
  ],
]
