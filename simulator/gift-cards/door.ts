import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { PayoutFault, PayoutFaults } from '../payouts/faults.ts'
import type { App } from '../provider/door.ts'
import { SupplierError, unavailable } from './errors.ts'

/** What holds for every call: who calls, what is set to go wrong, and one shape for every error. */
export function openSupplierDoor(app: App, faults: PayoutFaults): void {
  const struck = new WeakMap<FastifyRequest, PayoutFault>()
  app.addHook('onRequest', async (request) => {
    if (!/^Bearer +\S/i.test(request.headers.authorization ?? ''))
      throw new SupplierError(401, 'unauthorized', 'the header Authorization must have a bearer token')
    const fault = faults.strike()
    if (fault === 'unavailable') throw unavailable()
    if (fault !== null) struck.set(request, fault)
  })
  // The call has been carried out by now, which its client cannot know.
  app.addHook('onSend', (request, reply, payload, done) => {
    const fault = struck.get(request)
    if (fault === 'lost_answer') {
      reply.hijack()
      request.raw.socket.destroy()
      return
    }
    if (fault === 'unreadable') {
      reply.status(200)
      return done(null, '{"order_id": "gor_')
    }
    if (fault !== 'slow') return done(null, payload)
    // A waiting client must not keep a simulator alive that shuts down.
    pause(faults.slowMs, null, { ref: false }).then(() => done(null, payload), done)
  })
  app.setErrorHandler(sendError)
}

function sendError(error: FastifyError | SupplierError, _request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof SupplierError) {
    const { status, code, field, message } = error
    return reply.status(status).send({ error: { code, ...(field === null ? {} : { field }), message } })
  }
  const status = error.statusCode ?? 500
  if (status >= 500) {
    console.error(error)
    return reply.status(status).send({ error: { code: 'internal', message: 'an unexpected error occurred' } })
  }
  const [fault] = error.validation ?? []
  const name = fault?.params['missingProperty'] ?? fault?.params['additionalProperty']
  const names = [...(fault?.instancePath.split('/').slice(1) ?? []), ...(typeof name === 'string' ? [name] : [])]
  const message = fault?.message ?? 'the body could not be read as JSON'
  return reply.status(status).send({ error: { code: 'invalid', field: names.join('.') || 'body', message } })
}
