import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { ControlError, ProviderError } from '../errors.ts'
import { giftCardControls } from '../gift-cards/control-routes.ts'
import { payoutControls } from '../payouts/control-routes.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { chaosControls } from './chaos-routes.ts'
import { clockControls } from './clock-routes.ts'
import { itemControls } from './item-routes.ts'
import { purchaseControls } from './purchase-routes.ts'

/**
 * Registers the control interface, for everything that the provider's API has no endpoint for. Its paths start with
 * /_sim/ to avoid clashes with the provider's.
 */
export async function control(app: App, world: World): Promise<void> {
  app.setErrorHandler(sendError)
  app.setSchemaErrorFormatter(wordFaults)
  readEmptyBodies(app)
  itemControls(app, world)
  purchaseControls(app, world)
  clockControls(app, world)
  chaosControls(app, world)
  payoutControls(app, world)
  giftCardControls(app, world)
}

/** Accepts an empty body, with or without a JSON content type, because most control calls need no body. */
function readEmptyBodies(app: App): void {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    text === '' ? {} : parseJson(text),
  )
  app.addHook('preValidation', async (request) => {
    if (request.method === 'POST') request.body ??= {}
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ControlError(400, 'INVALID_BODY', 'The body is not JSON.')
  }
}

/**
 * Formats validation errors with Ajv's messages, but lists the allowed values of an enum, because Ajv reports each
 * value as a separate error.
 */
function wordFaults(faults: FastifySchemaValidationError[], part: string): Error {
  const toPlace = ({ instancePath }: FastifySchemaValidationError): string => part + instancePath
  const choices = new Map<string, unknown[]>()
  for (const fault of faults) {
    if (fault.keyword !== 'const') continue
    const place = toPlace(fault)
    choices.set(place, [...(choices.get(place) ?? []), fault.params['allowedValue']])
  }
  const others = faults.filter((fault) => !choices.has(toPlace(fault)))
  return new Error(
    [
      ...[...choices].map(([place, values]) => `${place} must be one of ${values.join(', ')}`),
      ...others.map((fault) => `${toPlace(fault)} ${fault.message}${nameIn(fault)}`),
    ].join(', '),
  )
}

/** Returns the name of the unexpected field, which Ajv's message omits. */
function nameIn({ params }: FastifySchemaValidationError): string {
  const name = params['additionalProperty']
  return typeof name === 'string' ? `: ${name}` : ''
}

function sendError(error: FastifyError | ControlError | ProviderError, _request: FastifyRequest, reply: FastifyReply) {
  const ours = error instanceof ControlError || error instanceof ProviderError
  const status = ours ? error.status : (error.statusCode ?? 500)
  const code = ours ? error.code : status < 500 ? 'INVALID_FIELD' : 'INTERNAL_ERROR'
  if (status >= 500) console.error(error)
  return reply.status(status).send({ error_code: code, error_message: error.message })
}
