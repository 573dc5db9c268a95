import type { FastifySchemaValidationError } from 'fastify'
import { pickFirstFault } from '../partner-door.ts'

/**
 * Picks the validation error to report for a payout request. For a destination, this is the first error for the type
 * named in the request.
 */
export function pickPayoutFault(faults: readonly FastifySchemaValidationError[]) {
  const ofType = ofNamedType(faults)
  return ofType.length === 0
    ? { field: 'destination.type', message: 'must be us_bank_account or iban' }
    : pickFirstFault(ofType)
}

const DESTINATION = /^#\/properties\/destination\/anyOf\/(\d)\//

/** Drops the errors for destination types other than the one named in the request. */
function ofNamedType(faults: readonly FastifySchemaValidationError[]): FastifySchemaValidationError[] {
  const toKind = ({ schemaPath }: FastifySchemaValidationError) => DESTINATION.exec(schemaPath)?.[1]
  const isOfType = ({ instancePath, params }: FastifySchemaValidationError) =>
    instancePath === '/destination/type' || (instancePath === '/destination' && params['missingProperty'] === 'type')
  const notMeant = new Set(faults.filter(isOfType).map(toKind))
  return faults.filter((fault) => {
    const kind = toKind(fault)
    return fault.keyword !== 'anyOf' && (kind === undefined || !notMeant.has(kind))
  })
}
