import { recordEvents } from '../../../events/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { encodeId } from '../../../platform/ids.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { lockUser } from '../queries.ts'
import type { User } from '../user.ts'
import { insertChoice, listChoices } from './queries.ts'
import { CHOICE, type MarketingChoice } from './schema.ts'

/**
 * Records a user's choice about marketing email, with the wording they were shown. Repeating the latest choice in the
 * same wording changes nothing.
 */
export async function chooseMarketing(
  tx: Tx,
  publisher: Publisher,
  { userId, publisherUserId }: Pick<User, 'userId' | 'publisherUserId'>,
  said: Omit<MarketingChoice, 'version' | 'chosenAt'>,
  now: Date,
): Promise<MarketingChoice> {
  await lockUser(tx, publisher.id, userId)
  const [latest] = await listChoices(tx, publisher.id, userId, 1)
  if (latest?.agreed === said.agreed && latest.wording === said.wording && latest.language === said.language)
    return latest
  const choice = { ...said, version: (latest?.version ?? 0) + 1, chosenAt: now }
  await insertChoice(tx, publisher.id, userId, choice)
  const data = {
    svc_user_id: encodeId('usr', userId),
    publisher_user_id: publisherUserId,
    ...CHOICE.present(choice),
  }
  await recordEvents(tx, publisher, [{ type: 'user.marketing_chosen', userId, data }], now)
  return choice
}
