import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import type { App } from '../provider/door.ts'
import { BankError, unavailable } from './errors.ts'
import type { PayoutFault, PayoutFaults } from './faults.ts'

/** What holds for every call: who calls, what is set to go wrong, and one shape for every error. */
export function openBankDoor(app: App, faults: PayoutFaults): void {
  const struck = new WeakMap<FastifyRequest, PayoutFault>()
  app.addHook('onRequest', async (request) => {
    if (!/^Bearer +\S/i.test(request.headers.authorization ?? '')) {
      throw new BankError(401, 'unauthorized', 'the header Authorization must have a bearer token')
    }
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
      return done(null, '{"payout_id": "pay_')
    }
    if (fault !== 'slow') return done(null, payload)
    // A waiting client must not keep a simulator alive that shuts down.
    pause(faults.slowMs, null, { ref: false }).then(() => done(null, payload), done)
  })
  app.setErrorHandler(sendError)
}

function sendError(error: FastifyError | BankError, _request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof BankError) {
    const { status, code, field, message } = error
    return reply.status(status).send({ error: { code, ...(field === null ? {} : { field }), message } })
  }
  const status = error.statusCode ?? 500
  if (status >= 500) {
    console.error(error)
    return reply.status(status).send({ error: { code: 'internal', message: 'an unexpected error occurred' } })
  }
  const field = fieldOf(error.validation ?? [])
  return reply.status(status).send({ error: { code: 'invalid', ...field } })
}

function fieldOf(faults: readonly FastifySchemaValidationError[]): { field: string; message: string } {
  if (faults.length === 0) return { field: 'body', message: 'the body could not be read as JSON' }
  const fault = ofNamedType(faults)[0]
  if (fault === undefined) return { field: 'destination.type', message: 'must be us_bank_account or iban' }
  const name = fault.params['missingProperty'] ?? fault.params['additionalProperty']
  const names = [...fault.instancePath.split('/').slice(1), ...(typeof name === 'string' ? [name] : [])]
  return { field: names.join('.') || 'body', message: fault.message ?? 'is not valid' }
}

const DESTINATION = /^#\/properties\/destination\/anyOf\/(\d)\//

/** Without what the checker says of the kinds of destination that were not meant. */
function ofNamedType(faults: readonly FastifySchemaValidationError[]): FastifySchemaValidationError[] {
  const kindOf = ({ schemaPath }: FastifySchemaValidationError) => DESTINATION.exec(schemaPath)?.[1]
  const isOfType = ({ instancePath, params }: FastifySchemaValidationError) =>
    instancePath === '/destination/type' || (instancePath === '/destination' && params['missingProperty'] === 'type')
  const notMeant = new Set(faults.filter(isOfType).map(kindOf))
  return faults.filter((fault) => {
    const kind = kindOf(fault)
    return fault.keyword !== 'anyOf' && (kind === undefined || !notMeant.has(kind))
  })
}
