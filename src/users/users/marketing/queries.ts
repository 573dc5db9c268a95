import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'

/** A user's choice about marketing email. */
export type MarketingChoice = {
  /** The sequence number among the user's choices. */
  readonly version: number
  readonly agreed: boolean
  /** The text that the user was shown, in `language`. */
  readonly wording: string
  readonly language: string
  readonly via: 'portal' | 'api'
  readonly chosenAt: Date
}

export async function insertChoice(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  choice: MarketingChoice,
): Promise<void> {
  const { version, agreed, wording, language, via, chosenAt } = choice
  await tx`
    insert into marketing_choices (user_id, version, publisher_id, agreed, wording, language, via, chosen_at)
    values (${userId}, ${version}, ${publisherId}, ${agreed}, ${wording}, ${language}, ${via}, ${chosenAt})`
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
    select version, agreed, wording, language, via, chosen_at
    from marketing_choices
    where publisher_id = ${publisherId} and user_id = ${userId}
    order by version desc
    limit ${limit}`
}
