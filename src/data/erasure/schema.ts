import Type from 'typebox'
import { readWallets } from '../../ledger/index.ts'
import type { Reader } from '../../platform/db/database.ts'
import { enumField, idField, namedObject, strictObject } from '../../platform/http/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { presentAccounts } from '../../users/users/index.ts'
import { ERASURE, type Erasure } from './erasure.ts'

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
): Promise<typeof ERASURE.example> {
  const accounts = presentAccounts(
    publisher,
    (await readWallets(reader, publisher, [erasure.userId])).get(erasure.userId),
  )
  return ERASURE.present({ ...erasure, remaining: { ...accounts[0], accounts } })
}
