import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Claim, ClaimNote } from './claim.ts'

type Key = Pick<Claim, 'publisherId' | 'userId' | 'claimId'>

export async function insertNote(tx: Tx, { publisherId }: Pick<Claim, 'publisherId'>, note: ClaimNote): Promise<void> {
  await tx`
    insert into claim_notes (user_id, note_id, claim_id, publisher_id, author, text, at)
    values (${note.userId}, ${note.noteId}, ${note.claimId}, ${publisherId}, ${note.author}, ${note.text}, ${note.at})`
}

/** Lists the notes of a claim, oldest first. */
export async function listNotes(reader: Reader, { publisherId, userId, claimId }: Key): Promise<ClaimNote[]> {
  return reader<ClaimNote[]>`
    select user_id, note_id, claim_id, author, text, at from claim_notes
    where publisher_id = ${publisherId} and user_id = ${userId} and claim_id = ${claimId}
    order by note_id`
}

export async function countNotes(reader: Reader, { publisherId, userId, claimId }: Key): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    select count(*)::int as count from claim_notes
    where publisher_id = ${publisherId} and user_id = ${userId} and claim_id = ${claimId}`
  return row?.count ?? 0
}
