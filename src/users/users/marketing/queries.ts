import { type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'
import { CHOICE, type MarketingChoice } from './schema.ts'

export async function insertChoice(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  choice: MarketingChoice,
): Promise<void> {
  const row = { userId, publisherId, ...choice }
  await tx`insert into marketing_choices ${tx(row, 'userId', 'publisherId', ...CHOICE.columns)}`
}

// More choices than anyone needs to see. The user's archive contains all of them.
const LISTED_MAX = 100

/** Lists a user's choices, latest first. The latest is in force. */
export async function listChoices(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  limit = LISTED_MAX,
): Promise<MarketingChoice[]> {
  return reader<MarketingChoice[]>`
    select ${selectColumns(reader, 'marketing_choices', CHOICE.columns)}
    from marketing_choices
    where publisher_id = ${publisherId} and user_id = ${userId}
    order by version desc
    limit ${limit}`
}
