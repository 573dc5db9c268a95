import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ControlError, ProviderError } from '../errors.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { chaosControls } from './chaos-routes.ts'
import { clockControls } from './clock-routes.ts'
import { itemControls } from './item-routes.ts'
import { purchaseControls } from './purchase-routes.ts'

/** What the provider has no call for: making things happen. Under /_sim/, so that no provider path is ever taken. */
export async function control(app: App, world: World): Promise<void> {
  app.setErrorHandler(sendError)
  readEmptyBodies(app)
  itemControls(app, world)
  purchaseControls(app, world)
  clockControls(app, world)
  chaosControls(app, world)
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

function sendError(error: FastifyError | ControlError | ProviderError, _request: FastifyRequest, reply: FastifyReply) {
  const ours = error instanceof ControlError || error instanceof ProviderError
  const status = ours ? error.status : (error.statusCode ?? 500)
  const code = ours ? error.code : status < 500 ? 'INVALID_FIELD' : 'INTERNAL_ERROR'
  if (status >= 500) console.error(error)
  return reply.status(status).send({ error_code: code, error_message: error.message })
}
