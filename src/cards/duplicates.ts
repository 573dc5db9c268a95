import { recordEvents } from '../events/index.ts'
import { dayOf, startOfDay } from '../platform/calendar.ts'
import type { Tx } from '../platform/database.ts'
import type { UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import { getKnownUser } from '../users/index.ts'
import { listOthersCards, lockInstitution, markDuplicatesReported, type ShownAccount } from './duplicate-queries.ts'
import type { Card, LinkId } from './queries.ts'
import { type BankAccount, isOneAccount, likenessOf, type Pairing, takenOverOf } from './rules.ts'
import { presentDuplicateEvent } from './schema.ts'

/** The accounts that a login shows now, and the link of the user that they are for. */
export type Linking = {
  readonly userId: UserId
  /** The link that gets these accounts; null for a new one. */
  readonly linkId: LinkId | null
  readonly institution: { readonly id: string; readonly name: string }
  readonly accounts: readonly BankAccount[]
  /** Other links of the user, which end: their cards are this link's from now on. */
  readonly replaced?: readonly LinkId[]
}

/**
 * One account earns for one user (docs/decisions/0011-duplicate-accounts.md). An account that certainly is another
 * user's is not linked; one that may be is linked and reported. The institution is locked until the commit, so that of
 * two users who link one account at the same instant the second sees the first.
 */

/**
 * The accounts of a new login that certainly are other users'. Each is reported once a day, and so is a login that
 * another user holds when its accounts cannot be seen.
 */
export async function detectDuplicates(
  tx: Tx,
  publisher: Publisher,
  { userId, institution, accounts, isHeld }: Omit<Linking, 'linkId'> & { readonly isHeld: boolean },
  now: Date,
): Promise<readonly BankAccount[]> {
  const { likeness } = await compare(tx, publisher, { userId, institution, accounts }, now)
  const held = accounts.filter((account) => likeness.get(account) === 'same')
  const reported = isHeld && held.length === 0 ? [null] : held
  await recordDuplicates(tx, publisher, { userId, institution, accounts: reported }, now)
  return held
}

/** The decision on the accounts that a login newly shows. */
export type Sorting = {
  /** To be linked. */
  readonly open: readonly BankAccount[]
  /** Other users hold these, so they are not linked. */
  readonly held: readonly BankAccount[]
  /** Newly or already linked accounts that another user may hold too; true: certainly. */
  readonly doubtful: ReadonlyMap<BankAccount, boolean>
  /** Accounts that another user unlinked today, certainly or possibly. */
  readonly takenOver: ReadonlySet<BankAccount>
}

export async function sortAccounts(
  tx: Tx,
  publisher: Publisher,
  linking: Linking,
  {
    fresh,
    renamed,
    elsewhere,
  }: Pick<Pairing, 'fresh'> & { renamed: readonly BankAccount[]; elsewhere: readonly Card[] },
  now: Date,
): Promise<Sorting> {
  if (fresh.length + renamed.length === 0) return { open: [], held: [], doubtful: new Map(), takenOver: new Set() }
  const { likeness, takenOver } = await compare(tx, publisher, linking, now)
  const isSame = (account: BankAccount): boolean => likeness.get(account) === 'same'
  const held = fresh.filter(isSame)
  // An account of another login of this user is that login's card; linked here too, each purchase would come twice.
  const open = fresh.filter((account) => !isSame(account) && !elsewhere.some((card) => isOneAccount(card, account)))
  const doubtful = new Map<BankAccount, boolean>()
  for (const account of open) if (likeness.has(account)) doubtful.set(account, false)
  // A card that turns out to be another user's stays linked: it has earned in good faith, so a person must decide.
  for (const account of renamed) if (isSame(account)) doubtful.set(account, true)
  return { open, held, doubtful, takenOver }
}

async function compare(
  tx: Tx,
  publisher: Publisher,
  { userId, institution, accounts }: Omit<Linking, 'linkId'>,
  now: Date,
) {
  await lockInstitution(tx, publisher.id, institution.id)
  const since = startOfDay(dayOf(now, publisher.timeZone), publisher.timeZone)
  const whose = { userId, institutionId: institution.id, since }
  const others = await listOthersCards(tx, publisher.id, whose, accounts)
  const live = others.filter((other) => other.unlinkedAt === null)
  const former = others.filter((other) => other.unlinkedAt !== null)
  return { likeness: likenessOf(accounts, live), takenOver: takenOverOf(accounts, former) }
}

type Duplicates = Pick<Linking, 'userId' | 'institution'> & { readonly accounts: readonly (BankAccount | null)[] }

/** Reports accounts that are not linked, each once a day: a user who is refused often tries again. */
export async function recordDuplicates(
  tx: Tx,
  publisher: Publisher,
  { userId, institution, accounts }: Duplicates,
  now: Date,
): Promise<void> {
  if (accounts.length === 0) return
  const user = await getKnownUser(tx, publisher.id, userId)
  const whose = { userId, institutionId: institution.id, day: dayOf(now, publisher.timeZone) }
  const unreported = (await markDuplicatesReported(tx, publisher.id, whose, accounts.map(shownOf))).map(keyOf)
  const records = accounts
    .filter((account) => unreported.includes(keyOf(shownOf(account))))
    .map((account) => {
      const data = presentDuplicateEvent(user, institution, account)
      return { type: 'card.duplicate_detected' as const, userId, data }
    })
  await recordEvents(tx, publisher, records, now)
}

function shownOf(account: BankAccount | null): ShownAccount {
  return { name: account?.name ?? null, mask: account?.mask ?? null, subtype: account?.subtype ?? null }
}

function keyOf({ name, mask, subtype }: ShownAccount): string {
  return JSON.stringify([name, mask, subtype])
}
