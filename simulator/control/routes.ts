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

/** What the provider has no call for: making things happen. Under /_sim/, so that no provider path is ever taken. */
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

/** Most controls need no body, and people leave it out with or without saying that it would be JSON. */
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

/** As the checker words them, but for a choice: of that it says of each member that it is not it. */
function wordFaults(faults: FastifySchemaValidationError[], part: string): Error {
  const placeOf = ({ instancePath }: FastifySchemaValidationError): string => part + instancePath
  const choices = new Map<string, unknown[]>()
  for (const fault of faults) {
    if (fault.keyword !== 'const') continue
    const place = placeOf(fault)
    choices.set(place, [...(choices.get(place) ?? []), fault.params['allowedValue']])
  }
  const others = faults.filter((fault) => !choices.has(placeOf(fault)))
  return new Error(
    [
      ...[...choices].map(([place, values]) => `${place} must be one of ${values.join(', ')}`),
      ...others.map((fault) => `${placeOf(fault)} ${fault.message}${nameIn(fault)}`),
    ].join(', '),
  )
}

/** A field that is too much is not named by the checker's own words. */
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
