import { type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import { type Claim, type ClaimNote, NOTE } from './claim.ts'

type Key = Pick<Claim, 'publisherId' | 'userId' | 'claimId'>

export async function insertNote(tx: Tx, note: ClaimNote): Promise<void> {
  await tx`insert into claim_notes ${tx(note, ...NOTE.columns)}`
}

/** Lists the notes of a claim, oldest first. */
export async function listNotes(reader: Reader, { publisherId, userId, claimId }: Key): Promise<ClaimNote[]> {
  return reader<ClaimNote[]>`
    select ${selectColumns(reader, 'claim_notes', NOTE.columns)} from claim_notes
    where publisher_id = ${publisherId} and user_id = ${userId} and claim_id = ${claimId}
    order by note_id`
}

export async function countNotes(reader: Reader, { publisherId, userId, claimId }: Key): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from claim_notes
    where publisher_id = ${publisherId} and user_id = ${userId} and claim_id = ${claimId}`
  return row?.count ?? 0
}
