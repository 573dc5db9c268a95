import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import { type Id, newUuid, type PublisherId, type UserId } from '../../platform/ids.ts'

export type LinkId = Id<'link'>
export type CardId = Id<'card'>
/** The party that must act: the user (NEED_AUTHENTICATION) or support (UNKNOWN). Null while the login works. */
export const CARD_ERRORS = ['NEED_AUTHENTICATION', 'UNKNOWN'] as const
export type CardError = (typeof CARD_ERRORS)[number]

/** A user's login at an institution. */
export type Link = {
  readonly userId: UserId
  readonly linkId: LinkId
  readonly institutionId: string
  readonly institutionName: string
  readonly error: CardError | null
  /** The deadline for the user to sign in again and keep the login working; null if none is known. */
  readonly reauthenticationDeadline: Date | null
  readonly linkedAt: Date
  /** Provider ids of this login's accounts that are linked as another user's cards. */
  readonly leftOut: readonly string[]
  /** True if the bank has accounts under this login that the user has not been asked about. */
  readonly newAccountsAvailable: boolean
}

export type LinkKey = Pick<Link, 'userId' | 'linkId'>

/** An account as the provider currently shows it. */
export type BankAccount = {
  readonly accountId: string
  readonly persistentAccountId: string | null
  readonly name: string
  readonly mask: string | null
  readonly subtype: string | null
}

export type Card = BankAccount & {
  readonly cardId: CardId
  readonly linkId: LinkId
  readonly version: number
  readonly linkedAt: Date
  readonly unlinkedAt: Date | null
}

export type NewCard = Card & {
  /** True if another user of the publisher unlinked this account, or a similar one, on the day it is linked. */
  readonly takenOver?: boolean
}

const linkColumns = (reader: Reader) => reader`
  user_id, link_id, institution_id, institution_name,
  error, reauthentication_deadline, linked_at, left_out,
  new_accounts_available`
const cardColumns = (reader: Reader) => reader`
  card_id, link_id, account_id, persistent_account_id,
  name, mask, subtype, version, linked_at, unlinked_at`

/** Serializes changes to a user's cards, so that a race cannot link the same accounts twice. */
export async function lockCards(tx: Tx, publisherId: PublisherId, userId: UserId): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`cards:${publisherId}:${userId}`}, 0))`
}

export async function listLiveLinks(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<Link[]> {
  return reader<Link[]>`
    select ${linkColumns(reader)} from links
    where user_id = ${userId} and publisher_id = ${publisherId} and unlinked_at is null
    order by linked_at, link_id`
}

export async function listLiveCards(reader: Reader, publisherId: PublisherId, userId: UserId): Promise<Card[]> {
  return reader<Card[]>`
    select ${cardColumns(reader)} from cards
    where user_id = ${userId} and publisher_id = ${publisherId} and unlinked_at is null
    order by linked_at, card_id`
}

export async function insertLink(
  tx: Tx,
  publisherId: PublisherId,
  { userId, institution, linkedAt }: Pick<Link, 'userId' | 'linkedAt'> & { institution: { id: string; name: string } },
): Promise<Link> {
  const [row] = await tx<[Link]>`
    insert into links (user_id, link_id, publisher_id, institution_id, institution_name, linked_at)
    values (${userId}, ${newUuid()}, ${publisherId}, ${institution.id}, ${institution.name}, ${linkedAt})
    returning ${linkColumns(tx)}`
  return row
}

/** The state of a login. Its cards show part of this state. */
export type LinkHealth = Pick<Link, 'error' | 'reauthenticationDeadline'> & {
  /** The time when the current break was announced; null if it was not. */
  readonly breakToldAt: Date | null
  /** The time when this state was observed; null if it never was, in which case any observation is newer. */
  readonly observedAt: Date | null
}

export async function findLinkHealth(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId }: LinkKey,
): Promise<LinkHealth | null> {
  const [row] = await reader<LinkHealth[]>`
    select error, reauthentication_deadline, break_told_at, observed_at
    from links
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId} and unlinked_at is null`
  return row ?? null
}

type LinkChanges = Partial<LinkHealth & Pick<Link, 'institutionName' | 'leftOut' | 'newAccountsAvailable'>>

export async function updateLink(
  tx: Tx,
  publisherId: PublisherId,
  { userId, linkId }: LinkKey,
  changes: LinkChanges,
): Promise<Link> {
  const [row] = await tx<[Link]>`
    update links set ${tx(changes)}
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId}
    returning ${linkColumns(tx)}`
  return row
}

export async function markLinksUnlinked(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  linkIds: readonly LinkId[],
  now: Date,
): Promise<void> {
  await tx`
    update links set unlinked_at = ${now}
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = any(${linkIds as LinkId[]}::uuid[])`
}

export async function markCardsUnlinked(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  cardIds: readonly CardId[],
  now: Date,
): Promise<void> {
  await tx`
    update cards set unlinked_at = ${now}, version = version + 1
    where user_id = ${userId} and publisher_id = ${publisherId} and card_id = any(${cardIds as CardId[]}::uuid[])`
}

/** Increments the version of each live card of a link after a visible change. */
export async function touchCards(tx: Tx, publisherId: PublisherId, { userId, linkId }: LinkKey): Promise<Card[]> {
  return tx<Card[]>`
    update cards set version = version + 1
    where user_id = ${userId} and publisher_id = ${publisherId} and link_id = ${linkId} and unlinked_at is null
    returning ${cardColumns(tx)}`
}

/**
 * Inserts new cards and updates existing ones with their current link, ids and names. Also records each card's account
 * id.
 */
export async function upsertCards(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  cards: readonly NewCard[],
): Promise<void> {
  await tx`
    insert into cards (user_id, card_id, publisher_id, link_id, account_id, persistent_account_id, name, mask, subtype,
      version, linked_at, taken_over)
    select ${userId}, card_id, ${publisherId}, link_id, account_id, persistent_account_id, name, mask, subtype,
      version, linked_at, coalesce(taken_over, false)
    from ${asTable(tx, cards, {
      cardId: 'uuid',
      linkId: 'uuid',
      accountId: 'text',
      persistentAccountId: 'text',
      name: 'text',
      mask: 'text',
      subtype: 'text',
      version: 'int4',
      linkedAt: 'timestamptz',
      takenOver: 'bool',
    })}
    on conflict (user_id, card_id) do update set
      link_id = excluded.link_id, account_id = excluded.account_id,
      persistent_account_id = excluded.persistent_account_id, name = excluded.name, mask = excluded.mask,
      subtype = excluded.subtype, version = excluded.version`
  await tx`
    insert into card_accounts (user_id, card_id, account_id, publisher_id)
    select ${userId}, card_id, account_id, ${publisherId}
    from ${asTable(tx, cards, { cardId: 'uuid', accountId: 'text' })}
    on conflict do nothing`
}

export type CardSpan = Omit<Card, 'linkId' | 'version'> & { readonly userId: UserId; readonly takenOver: boolean }

/** Returns one row per account id that each of these users' cards has ever had, earliest link first. */
export async function listCardSpans(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<CardSpan[]> {
  return reader<CardSpan[]>`
    select user_id, card_id, card_accounts.account_id, persistent_account_id, name, mask, subtype, cards.linked_at,
      cards.unlinked_at, cards.taken_over
    from cards join card_accounts using (user_id, card_id)
    where cards.publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])
    order by cards.linked_at, card_id, card_accounts.account_id`
}

/**
 * Maps former cards to their successors in this link. A former card is one that the user unlinked before linking the
 * same account again. Accounts match by the institution's persistent id or, if either lacks one, by name, mask and
 * subtype.
 */
export async function listFormerCards(
  reader: Reader,
  publisherId: PublisherId,
  { userId, linkId }: LinkKey,
): Promise<ReadonlyMap<CardId, CardId>> {
  const rows = await reader<{ formerId: CardId; cardId: CardId }[]>`
    select former.card_id as former_id, live.card_id
    from cards live
    join links on links.user_id = live.user_id and links.link_id = live.link_id
    join cards former on former.user_id = live.user_id and former.card_id <> live.card_id
      and former.unlinked_at <= live.linked_at
    join links former_link on former_link.user_id = former.user_id and former_link.link_id = former.link_id
      and former_link.institution_id = links.institution_id
    where live.user_id = ${userId} and live.publisher_id = ${publisherId} and live.link_id = ${linkId}
      and live.unlinked_at is null
      and (
        former.persistent_account_id = live.persistent_account_id
        or ((former.persistent_account_id is null or live.persistent_account_id is null) and former.name = live.name
          and former.mask is not distinct from live.mask and former.subtype is not distinct from live.subtype))
    order by live.linked_at, live.card_id`
  return new Map(rows.map((row) => [row.formerId, row.cardId]))
}
