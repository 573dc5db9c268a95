import { STATUS_CODES } from 'node:http'
import Type, { type TSchema } from 'typebox'
import { enumField, FIELD_CODES, named, namedObject, type RefusalTable } from '../http/index.ts'
import { describeRefusalHeaders } from './describe-headers.ts'
import { type DocumentPart, mapOperations, toPascalCase } from './document-parts.ts'

/** The refusal codes of each operation, keyed by operationId. */
export type OperationRefusals = ReadonlyMap<unknown, readonly string[]>

/** Refusals that belong to no operation, because they occur before routing or at the connection level. */
const BEFORE_ROUTING = [
  'route_not_found',
  'address_unreadable',
  'method_not_allowed',
  'request_unreadable',
  'chunks_too_small',
  'request_timeout',
  'head_too_large',
]

/** Builds the schemas of problem bodies, with every code in the API. */
export function problemSchemas(operations: OperationRefusals, table: RefusalTable): Record<string, TSchema> {
  const answered = new Set([...operations.values(), BEFORE_ROUTING].flat())
  const codes = Object.keys(table).filter((code) => answered.has(code))
  // If a field satisfies the schema but is rejected later, the problem's code is also the field's code.
  const ofFields = [...FIELD_CODES, ...codes.filter((code) => table[code]?.status === 400)]
  const fieldError = namedObject('FieldError', {
    field: Type.String({
      description:
        'Path to the field from the root of the body, or the name of the parameter; empty if no field is at fault.',
    }),
    code: named('FieldErrorCode', enumField(ofFields, 'Machine-readable code for the error.')),
    message: Type.String({ description: 'Human-readable explanation of the error.' }),
  })
  const problem = namedObject(
    'Problem',
    {
      type: Type.String({ description: 'URL of the page about this code, with its cause and remedy.' }),
      title: Type.String({ description: 'Short name of the kind of problem.' }),
      status: Type.Integer({ description: 'HTTP status code.' }),
      detail: Type.String({ description: 'Human-readable explanation of the error.' }),
      instance: Type.String({ description: 'Path of the request.' }),
      code: named('ProblemCode', enumField(codes, 'Machine-readable error code.')),
      request_id: Type.String({
        description: 'ID of the request. Quote it when you contact us about this response.',
      }),
      errors: Type.Optional(Type.Array(fieldError, { description: 'The first invalid fields; only on 400.' })),
      more_errors: Type.Optional(
        Type.Integer({ description: 'Number of further invalid fields; in a long batch, counted up to a thousand.' }),
      ),
    },
    { additionalProperties: true },
  )
  return { Problem: problem }
}

/** A response with the codes of one status, and the operations that use it. */
type RefusalAnswer = { readonly status: number; readonly codes: readonly string[]; readonly operations: string[] }

/**
 * Adds the refusals of each operation to the document, as one response per status with the possible codes. Responses
 * are components. The most common one of each status is named after the status. The others are named after their codes,
 * as in `RedemptionStatusRefusal`, or after their first operation if that name would be too long.
 */
export function describeRefusals(
  document: DocumentPart,
  operations: OperationRefusals,
  table: RefusalTable,
): DocumentPart {
  const found = new Map<string, RefusalAnswer>()
  for (const [id, codes] of operations)
    for (const one of byStatus(codes, table)) {
      const refused = found.get(buildKey(one)) ?? { ...one, operations: [] }
      refused.operations.push(String(id))
      found.set(buildKey(one), refused)
    }
  const names = assignNames([...found.values()])
  const withRefusals = (operation: DocumentPart): DocumentPart => {
    const codes = operations.get(operation['operationId']) ?? []
    const refused = byStatus(codes, table).map((one) => [
      String(one.status),
      { $ref: `#/components/responses/${names.get(buildKey(one))}` },
    ])
    return { ...operation, responses: { ...(operation['responses'] as DocumentPart), ...Object.fromEntries(refused) } }
  }
  const responses = [...found].map(([key, one]) => [names.get(key) ?? '', buildResponse(one, table)] as const)
  return {
    ...document,
    paths: mapOperations(document['paths'], withRefusals),
    components: {
      ...(document['components'] as DocumentPart),
      responses: Object.fromEntries(responses.sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  }
}

/** Groups the codes by status, sorted by status, with each group in table order. */
function byStatus(codes: readonly string[], table: RefusalTable): Omit<RefusalAnswer, 'operations'>[] {
  const known = Object.keys(table).filter((code) => codes.includes(code))
  const groups = Map.groupBy(known, (code) => table[code]?.status ?? 500)
  return [...groups].map(([status, ofStatus]) => ({ status, codes: ofStatus })).sort((a, b) => a.status - b.status)
}

function buildKey({ status, codes }: Omit<RefusalAnswer, 'operations'>): string {
  return `${status} ${codes.join(' ')}`
}

const NAME_LENGTH_MAX = 40

function assignNames(all: readonly RefusalAnswer[]): ReadonlyMap<string, string> {
  const usual = new Set<RefusalAnswer>()
  for (const ofStatus of Map.groupBy(all, ({ status }) => status).values())
    usual.add(ofStatus.reduce((one, other) => (other.operations.length > one.operations.length ? other : one)))
  const buildName = (one: RefusalAnswer): string => {
    const ofStatus = toPascalCase(STATUS_CODES[one.status] ?? '')
    if (usual.has(one)) return ofStatus
    const ofCodes = `${one.codes.map(toPascalCase).join('Or')}Refusal`
    return ofCodes.length <= NAME_LENGTH_MAX ? ofCodes : toPascalCase(one.operations[0] ?? '') + ofStatus
  }
  return new Map(all.map((one) => [buildKey(one), buildName(one)]))
}

function buildResponse({ status, codes }: RefusalAnswer, table: RefusalTable): DocumentPart {
  const [only] = codes
  const code = { type: 'string', ...(codes.length === 1 ? { const: only } : { enum: codes }) }
  const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code } }] }
  return {
    description: codes.map((one) => `\`${one}\`: ${table[one]?.title}.`).join(' '),
    headers: describeRefusalHeaders(status),
    content: { 'application/problem+json': { schema } },
  }
}
