import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { PartnerError, unavailable } from './partner-error.ts'
import type { PartnerFault, PartnerFaults } from './partner-faults.ts'
import type { App } from './provider/door.ts'

type FieldFault = { readonly field: string; readonly message: string }

type Door = {
  readonly faults: PartnerFaults
  /** The first part of a response body. Sending nothing else makes the response unreadable. */
  readonly cut: string
  /** Picks the validation error to report. Defaults to the first. */
  readonly pickFault?: (faults: readonly FastifySchemaValidationError[]) => FieldFault
}

/** Sets up everything that all calls to a partner share: authentication, faults and the error format. */
export function openPartnerDoor(app: App, { faults, cut, pickFault = pickFirstFault }: Door): void {
  const struck = new WeakMap<FastifyRequest, PartnerFault>()
  app.addHook('onRequest', async (request) => {
    if (!/^Bearer +\S/i.test(request.headers.authorization ?? '')) {
      throw new PartnerError(401, 'unauthorized', 'the Authorization header must contain a bearer token')
    }
    const fault = faults.strike()
    if (fault === 'unavailable') throw unavailable()
    if (fault !== null) struck.set(request, fault)
  })
  // The call has been executed by now, but the client cannot tell.
  app.addHook('onSend', (request, reply, payload, done) => {
    const fault = struck.get(request)
    if (fault === 'lost_answer') {
      reply.hijack()
      request.raw.socket.destroy()
      return
    }
    if (fault === 'unreadable') {
      reply.status(200)
      return done(null, cut)
    }
    if (fault !== 'slow') return done(null, payload)
    // A client that is still waiting must not prevent the simulator from shutting down.
    pause(faults.slowMs, null, { ref: false }).then(() => done(null, payload), done)
  })
  app.setErrorHandler((error: FastifyError | PartnerError, _request, reply) => sendError(error, reply, pickFault))
}

function sendError(error: FastifyError | PartnerError, reply: FastifyReply, pickFault: NonNullable<Door['pickFault']>) {
  if (error instanceof PartnerError) {
    const { status, code, field, message } = error
    return reply.status(status).send({ error: { code, ...(field === null ? {} : { field }), message } })
  }
  const status = error.statusCode ?? 500
  if (status >= 500) {
    console.error(error)
    return reply.status(status).send({ error: { code: 'internal', message: 'an unexpected error occurred' } })
  }
  const { validation = [] } = error
  const fault =
    validation.length === 0 ? { field: 'body', message: 'the body could not be read as JSON' } : pickFault(validation)
  return reply.status(status).send({ error: { code: 'invalid', ...fault } })
}

export function pickFirstFault([fault]: readonly FastifySchemaValidationError[]): FieldFault {
  const name = fault?.params['missingProperty'] ?? fault?.params['additionalProperty']
  const names = [...(fault?.instancePath.split('/').slice(1) ?? []), ...(typeof name === 'string' ? [name] : [])]
  return { field: names.join('.') || 'body', message: fault?.message ?? 'is not valid' }
}
