import { recordEvents } from '../../events/index.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { newUuid, type UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getKnownUser } from '../../users/users/index.ts'
import { type CardOfLink, recordCardEvents } from './card-events.ts'
import { type Linking, recordDuplicates, type Sorting, sortAccounts } from './duplicates.ts'
import type { BankAccount, Card, Link } from './queries.ts'
import * as queries from './queries.ts'
import { isOneAccount, isSameLogin, pairAccounts } from './rules.ts'
import { type FailedLink, presentFailedLinkEvent, presentNewAccountsEvent } from './schema.ts'

export type LinkWithCards = { readonly link: Link; readonly cards: readonly Card[] }
type LinkedCards = LinkWithCards & {
  /** The cards moved from another login, as they were before the move. */
  readonly moved: readonly Card[]
}

/** Returns a user's live links with their live cards, oldest first. */
export async function listLinks(reader: Reader, publisher: Publisher, userId: UserId): Promise<LinkWithCards[]> {
  const links = await queries.listLiveLinks(reader, publisher.id, userId)
  const cards = await queries.listLiveCards(reader, publisher.id, userId)
  return links.map((link) => ({ link, cards: cards.filter((card) => card.linkId === link.linkId) }))
}

/**
 * Finds the links at this institution that a new login with these accounts replaces. The first is the most likely
 * match, even if all ids are new. A broken link is preferred, because users link a login again when it breaks. The
 * other links certainly show one of the accounts and are replaced so that no account is read twice.
 */
export function findLinksByAccounts(
  links: readonly LinkWithCards[],
  institutionId: string,
  accounts: readonly BankAccount[],
): LinkWithCards[] {
  const same = links.filter(({ link, cards }) => link.institutionId === institutionId && isSameLogin(cards, accounts))
  const [first, ...others] = same.toSorted((one, other) => Number(isBroken(other)) - Number(isBroken(one)))
  const isCertain = ({ cards }: LinkWithCards) => cards.some((card) => accounts.some((one) => isOneAccount(card, one)))
  return first === undefined ? [] : [first, ...others.filter(isCertain)]
}

const isBroken = ({ link }: LinkWithCards): boolean => link.error !== null

/**
 * Updates a link to contain exactly these accounts. Existing cards keep their identity, including those of replaced
 * links. Missing cards are unlinked. New accounts are linked unless another user of the publisher holds them. The
 * caller must hold lockCards.
 */
export async function linkCards(tx: Tx, publisher: Publisher, linking: Linking, now: Date): Promise<LinkedCards> {
  const { userId, linkId, institution, accounts, replaced = [] } = linking
  const links = await listLinks(tx, publisher, userId)
  const known = links.find(({ link }) => link.linkId === linkId)
  const link = known?.link ?? (await queries.insertLink(tx, publisher.id, { userId, institution, linkedAt: now }))
  if (known !== undefined && link.institutionName !== institution.name)
    await queries.updateLink(tx, publisher.id, link, { institutionName: institution.name })
  const shown = { ...link, institutionName: institution.name }
  const ending = links.filter((one) => replaced.includes(one.link.linkId))
  const findLink = (card: Card): Link => ending.find((one) => one.link.linkId === card.linkId)?.link ?? shown
  // Matches the link's own cards first, because without masks, cards of other links may also resemble its accounts.
  const joined = known === undefined ? ending : [known, ...ending]
  const { kept, gone, fresh } = pairAccounts(
    joined.flatMap(({ cards }) => cards),
    accounts,
  )
  if (fresh.length > 0) await markAccountsChosen(tx, publisher, link)
  const changed = kept.filter(({ card, account }) => card.linkId !== link.linkId || differs(card, account))
  const shownNow = {
    fresh,
    renamed: changed.filter(({ card, account }) => differsInId(card, account)).map(({ account }) => account),
    elsewhere: links.flatMap((one) =>
      joined.includes(one) || one.link.institutionId !== institution.id ? [] : one.cards,
    ),
  }
  const sorting = await sortAccounts(tx, publisher, linking, shownNow, now)
  const updates = changed.map(({ card, account }) => ({
    before: { link: findLink(card), card },
    link: shown,
    card: { ...card, ...account, linkId: link.linkId, version: card.version + 1 },
  }))
  const updated = updates.map(({ card }) => card)
  const opened = sorting.open.map((account) => newCard(link, account, sorting, now))
  const ofLink = (cards: readonly Card[]): CardOfLink[] => cards.map((card) => ({ link: shown, card }))
  const closed = gone.map((card) => ({ link: findLink(card), card }))
  if (closed.length > 0) await closeCards(tx, publisher, userId, closed, now)
  if (updated.length + opened.length > 0) await queries.upsertCards(tx, publisher.id, userId, [...updated, ...opened])
  await recordCardEvents(tx, publisher, 'card.updated', updates, now)
  await recordCardEvents(tx, publisher, 'card.linked', ofLink(opened), now)
  await reportDuplicates(tx, publisher, { link: shown, cards: [...updated, ...opened], sorting }, now)
  const same = kept.filter((pair) => !changed.includes(pair)).map(({ card }) => card)
  const moved = kept.map(({ card }) => card).filter((card) => card.linkId !== link.linkId)
  return { link: shown, cards: [...same, ...updated, ...opened], moved }
}

function newCard({ linkId }: Link, account: BankAccount, { takenOver }: Sorting, now: Date): queries.NewCard {
  const fresh = { cardId: newUuid<'card'>(), linkId, version: 1, linkedAt: now, unlinkedAt: null }
  return { ...account, ...fresh, takenOver: takenOver.has(account) }
}

/** Reports each duplicate only once, even though later reads of the login find the same ones again. */
async function reportDuplicates(
  tx: Tx,
  publisher: Publisher,
  { link, cards, sorting }: LinkWithCards & { readonly sorting: Sorting },
  now: Date,
): Promise<void> {
  const { userId, institutionId, institutionName, leftOut } = link
  const heldIds = sorting.held.map((account) => account.accountId)
  if (heldIds.toSorted().join() !== leftOut.toSorted().join())
    await queries.updateLink(tx, publisher.id, link, { leftOut: heldIds })
  const institution = { id: institutionId, name: institutionName }
  const accounts = sorting.held.filter((account) => !leftOut.includes(account.accountId))
  await recordDuplicates(tx, publisher, { userId, institution, accounts }, now)
  const doubtful = [...sorting.doubtful].flatMap(([account, certain]) => {
    const card = cards.find((one) => one.accountId === account.accountId)
    return card === undefined ? [] : [{ link, card, certain }]
  })
  await recordCardEvents(tx, publisher, 'card.duplicate_detected', doubtful, now)
}

/**
 * Announces to the publisher that a login has accounts that the user has not been asked about. Only the user can share
 * these accounts, by repairing the login, so they are announced only once until the user chooses. The caller must hold
 * lockCards.
 */
export async function announceNewAccounts(tx: Tx, publisher: Publisher, link: Link, now: Date): Promise<void> {
  if (link.newAccountsAvailable) return
  await queries.updateLink(tx, publisher.id, link, { newAccountsAvailable: true })
  const data = presentNewAccountsEvent(await getKnownUser(tx, publisher.id, link.userId), link)
  await recordEvents(tx, publisher, [{ type: 'link.new_accounts_available', userId: link.userId, data }], now)
}

/**
 * Announces logins that users completed but that could not be linked, for cases in which no caller receives the
 * refusal.
 */
export async function announceFailedLinks(
  tx: Tx,
  publisher: Publisher,
  { userId, failed }: { readonly userId: UserId; readonly failed: readonly FailedLink[] },
  now: Date,
): Promise<void> {
  const user = await getKnownUser(tx, publisher.id, userId)
  const records = failed.map(
    (one) => ({ type: 'link.failed', userId, data: presentFailedLinkEvent(user, one) }) as const,
  )
  await recordEvents(tx, publisher, records, now)
}

/** Records that the user has chosen which accounts to share. */
export async function markAccountsChosen(tx: Tx, publisher: Publisher, link: Link): Promise<void> {
  if (link.newAccountsAvailable) await queries.updateLink(tx, publisher.id, link, { newAccountsAvailable: false })
}

/** Unlinks cards and ends their links as of now. Past purchases are unaffected. */
export async function unlinkCards(
  tx: Tx,
  publisher: Publisher,
  links: readonly LinkWithCards[],
  now: Date,
): Promise<void> {
  const userId = links[0]?.link.userId
  if (userId === undefined) return
  const linkIds = links.map(({ link }) => link.linkId)
  await queries.markLinksUnlinked(tx, publisher.id, userId, linkIds, now)
  const pairs = links.flatMap(({ link, cards }) => cards.map((card) => ({ link, card })))
  await closeCards(tx, publisher, userId, pairs, now)
}

async function closeCards(
  tx: Tx,
  publisher: Publisher,
  userId: UserId,
  pairs: readonly CardOfLink[],
  now: Date,
): Promise<void> {
  const cardIds = pairs.map(({ card }) => card.cardId)
  await queries.markCardsUnlinked(tx, publisher.id, userId, cardIds, now)
  const closed = pairs.map(({ link, card }) => ({
    link,
    card: { ...card, unlinkedAt: now, version: card.version + 1 },
  }))
  await recordCardEvents(tx, publisher, 'card.unlinked', closed, now)
}

function differsInId(card: Card, account: BankAccount): boolean {
  return card.accountId !== account.accountId || card.persistentAccountId !== account.persistentAccountId
}

function differs(card: Card, account: BankAccount): boolean {
  return (
    differsInId(card, account) ||
    card.name !== account.name ||
    card.mask !== account.mask ||
    card.subtype !== account.subtype
  )
}
