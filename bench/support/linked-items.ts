import { type Database, formatArray } from '../../src/platform/db/database.ts'
import { openSecrets, type Vault } from '../../src/platform/vault/index.ts'
import { fingerprintItem, sealToken } from '../../src/purchases/linker/index.ts'
import type { LinkId } from '../../src/sources/cards/index.ts'
import type { SimulatedItem } from './simulated-items.ts'
import { type BenchUser, createUsers, type Tenant } from './tenant.ts'

type Linking = {
  /** Seals the tokens. The service that opens them must have the same key. */
  readonly masterKey: string
  readonly dataDir: string
  /** The time of the last feed read and the last login check. All items are due by now. */
  readonly readAt: Date
}

/**
 * Creates users of a publisher and links one item to each, in the state that linking and a day of polling leave behind.
 */
export async function linkItems(
  db: Database,
  tenant: Tenant,
  items: readonly SimulatedItem[],
  { masterKey, dataDir, readAt }: Linking,
): Promise<void> {
  const users = await createUsers(db, tenant, items.length)
  const secrets = await openSecrets({ db, keys: [masterKey], dataDir, name: 'bench', log: () => undefined })
  try {
    await shareAccounts(db, tenant, users, items)
    await insertItems(db, tenant, users, items, { vault: secrets.vault, readAt })
  } finally {
    await secrets.close()
  }
  await db.reader`analyze links, cards, card_accounts, linker_items`
}

/** Points the users' cards at the items' accounts in the simulator. */
async function shareAccounts(
  db: Database,
  { publisher }: Tenant,
  users: readonly BenchUser[],
  items: readonly SimulatedItem[],
): Promise<void> {
  const userIds = formatArray(users.map((user) => user.userId))
  const accounts = items.map((item) => item.account)
  const accountIds = accounts.map((account) => account.accountId)
  await db.transaction(async (tx) => {
    await tx`
      update links l set institution_id = given.id, institution_name = given.name
      from unnest(${userIds}::text::uuid[], ${items.map((item) => item.institution.id)}::text[],
        ${items.map((item) => item.institution.name)}::text[]) as given (user_id, id, name)
      where l.publisher_id = ${publisher.id} and l.user_id = given.user_id`
    await tx`
      update cards c set account_id = given.account_id, name = given.name, mask = given.mask, subtype = given.subtype
      from unnest(${userIds}::text::uuid[], ${accountIds}::text[], ${accounts.map((account) => account.name)}::text[],
        ${accounts.map((account) => account.mask)}::text[], ${accounts.map((account) => account.subtype)}::text[])
        as given (user_id, account_id, name, mask, subtype)
      where c.publisher_id = ${publisher.id} and c.user_id = given.user_id`
    await tx`
      update card_accounts a set account_id = given.account_id
      from unnest(${userIds}::text::uuid[], ${accountIds}::text[]) as given (user_id, account_id)
      where a.publisher_id = ${publisher.id} and a.user_id = given.user_id`
  })
}

/** Inserts the items. Each link and each card has the same id as its user. */
async function insertItems(
  db: Database,
  { publisher }: Tenant,
  users: readonly BenchUser[],
  items: readonly SimulatedItem[],
  { vault, readAt }: { readonly vault: Vault; readonly readAt: Date },
): Promise<void> {
  const sealed = items.map(({ accessToken }, index) => {
    const userId = users[index]?.userId
    if (userId === undefined) throw new Error('there are fewer users than items')
    const owner = { publisherId: publisher.id, userId, linkId: userId as string as LinkId }
    return sealToken(vault, owner, accessToken).toString('hex')
  })
  const prints = items.map(({ itemId }) => fingerprintItem(vault, itemId).toString('hex'))
  await db.reader`
    insert into linker_items (
      user_id, link_id, publisher_id, owner, sealed_token, item_fingerprint, cursor, sync_due_at, synced_at, checked_at,
      heard_at, hinted_at)
    select user_id, user_id, ${publisher.id}, 'service', decode(sealed, 'hex'), decode(print, 'hex'), nullif(cursor, ''),
      ${readAt}::timestamptz + place * interval '1 millisecond', ${readAt}, ${readAt}, ${readAt}, ${readAt}
    from unnest(${formatArray(users.map((user) => user.userId))}::text::uuid[], ${sealed}::text[], ${prints}::text[],
      ${items.map((item) => item.cursor ?? '')}::text[]) with ordinality as given (user_id, sealed, print, cursor, place)`
}
