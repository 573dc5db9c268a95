import Type, { type Static } from 'typebox'
import { readWallets } from '../../ledger/index.ts'
import { HOUR_MS } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import { enumField, idField, namedObject, nullable, strictObject } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { ACCOUNT, AccountsSchema, presentAccounts } from '../../users/users/index.ts'
import { BOUND_HOURS, type Erasure } from './erasure.ts'

export const LeaverParams = Type.Object({ publisher_user_id: idField("The publisher's ID for the user.") })
export const ErasureParams = Type.Object({ erasure_id: idField('ID of the erasure.') })
export const ErasureBody = strictObject({
  confirm: idField("The publisher's ID for the user, repeated because an erasure cannot be undone."),
})
export const ArchiveQuery = strictObject({
  format: Type.Optional(
    enumField(['json', 'csv'], 'json: one document. csv: a table for each section. Defaults to json.'),
  ),
})

export const ErasureSchema = namedObject('Erasure', {
  erasure_id: Type.String(),
  svc_user_id: Type.String(),
  pseudonym: Type.String({ description: "Pseudonym that replaces the publisher's identifier." }),
  status: enumField(['under_way', 'done']),
  requested_at: Type.String({ description: 'When the erasure was requested.' }),
  requested_by: Type.String({
    description: 'ID of the API key or person that requested the erasure.',
  }),
  due_by: Type.String({
    description: 'Latest time by which the erasure will be completed, in real time. It usually takes seconds.',
  }),
  done_at: nullable(Type.String({ description: 'When the erasure was completed, or null while it is in progress.' })),
  counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'Number of rows changed or deleted, by table.',
  }),
  sha256: nullable(
    Type.String({
      description:
        'SHA-256 hash of the proof as canonical JSON (RFC 8785), in hexadecimal. The proof consists of erasure_id, svc_user_id, pseudonym, requested_at, requested_by, done_at and counts.',
    }),
  ),
  remaining: namedObject(
    'RemainingBalance',
    {
      ...ACCOUNT.schema.properties,
      accounts: AccountsSchema,
    },
    { description: 'Balance that remains in the ledger under the pseudonym. Nobody can redeem it.' },
  ),
})

/** The data of the event that announces the erasure. */
export const ErasedUserSchema = namedObject('ErasedUser', {
  svc_user_id: Type.String(),
  erasure_id: Type.String(),
  pseudonym: Type.String({ description: 'Pseudonym that replaces the user in retained data.' }),
  done_at: Type.String({ description: 'When the erasure was completed.' }),
  sha256: Type.String({ description: 'Hash of the proof, in hexadecimal.' }),
  erased: Type.Boolean({ description: 'True if nothing that identifies the user is left.' }),
})

export async function presentErasure(
  reader: Reader,
  publisher: Publisher,
  erasure: Erasure,
): Promise<Static<typeof ErasureSchema>> {
  const accounts = presentAccounts(
    publisher,
    (await readWallets(reader, publisher, [erasure.userId])).get(erasure.userId),
  )
  const { doneAt, sha256, requestedAt, requestedBy, pseudonym, recordedAt } = erasure
  return {
    erasure_id: encodeId('era', erasure.erasureId),
    svc_user_id: encodeId('usr', erasure.userId),
    pseudonym,
    status: doneAt === null ? 'under_way' : 'done',
    requested_at: requestedAt.toISOString(),
    requested_by: requestedBy,
    due_by: new Date(recordedAt.getTime() + BOUND_HOURS * HOUR_MS).toISOString(),
    done_at: doneAt?.toISOString() ?? null,
    counts: { ...erasure.counts },
    sha256: sha256?.toString('hex') ?? null,
    remaining: { ...accounts[0], accounts },
  }
}

export const erasureExample: Static<typeof ErasureSchema> = {
  erasure_id: 'era_01kbjyt5v3f4nvj5yq5yfypr9v',
  svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
  pseudonym: 'erased-019a6c7d-8f00-7c3e-9f2b-6d1a4b8e2c55',
  status: 'done',
  requested_at: '2026-11-21T10:15:30.000Z',
  requested_by: 'key_01kbjyt5v3f4nvj5yq5yfypr9v',
  due_by: '2026-11-22T10:15:30.000Z',
  done_at: '2026-11-21T10:15:32.000Z',
  counts: { cards: 1, events: 14, source_events: 6, transactions: 4, users: 1 },
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  remaining: { ...ACCOUNT.example, accounts: [ACCOUNT.example] },
}
