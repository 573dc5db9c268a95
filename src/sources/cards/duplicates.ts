import { recordEvents } from '../../events/index.ts'
import { startOfDay, toDay } from '../../platform/calendar.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { getKnownUser } from '../../users/users/index.ts'
import { type AccountLook, listOthersCards, lockInstitution, markDuplicatesReported } from './duplicate-queries.ts'
import type { BankAccount, Card, LinkId } from './queries.ts'
import { compareAccounts, findTakenOver, isOneAccount, type Pairing } from './rules.ts'
import { presentDuplicateEvent } from './schema.ts'

/** The accounts that a login currently shows, and the link that they belong to. */
export type Linking = {
  readonly userId: UserId
  /** The link that receives these accounts; null to create one. */
  readonly linkId: LinkId | null
  readonly institution: { readonly id: string; readonly name: string }
  readonly accounts: readonly BankAccount[]
  /** The user's other links that this one replaces. Their cards move to this link. */
  readonly replaced?: readonly LinkId[]
}

/**
 * An account earns for only one user (docs/decisions/0011-duplicate-accounts.md). An account that certainly belongs to
 * another user is not linked. A possible match is linked and reported. The institution stays locked until commit, so
 * when two users link the same account concurrently, the second sees the first.
 */

/**
 * Finds the accounts of a new login that certainly belong to other users and reports each at most once a day. If
 * another user holds the login but none of its accounts match, reports the login itself.
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

/** The decisions about the accounts that a login now shows. */
export type Sorting = {
  /** Accounts to link. */
  readonly open: readonly BankAccount[]
  /** Accounts that other users hold, so they are not linked. */
  readonly held: readonly BankAccount[]
  /** New or already linked accounts that another user might also hold. The value is true if the match is certain. */
  readonly doubtful: ReadonlyMap<BankAccount, boolean>
  /** Accounts that another user certainly or possibly unlinked today. */
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
  // An account already linked through another of this user's logins stays that login's card, because linking it here
  // too would count each purchase twice.
  const open = fresh.filter((account) => !isSame(account) && !elsewhere.some((card) => isOneAccount(card, account)))
  const doubtful = new Map<BankAccount, boolean>()
  for (const account of open) if (likeness.has(account)) doubtful.set(account, false)
  // If a linked card turns out to be another user's, it stays linked. It earned in good faith, so a person must decide.
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
  const since = startOfDay(toDay(now, publisher.timeZone), publisher.timeZone)
  const whose = { userId, institutionId: institution.id, since }
  const others = await listOthersCards(tx, publisher.id, whose, accounts)
  const live = others.filter((other) => other.unlinkedAt === null)
  const former = others.filter((other) => other.unlinkedAt !== null)
  return { likeness: compareAccounts(accounts, live), takenOver: findTakenOver(accounts, former) }
}

type Duplicates = Pick<Linking, 'userId' | 'institution'> & { readonly accounts: readonly (BankAccount | null)[] }

/** Reports accounts that were not linked, at most once a day each, because a rejected user often retries. */
export async function recordDuplicates(
  tx: Tx,
  publisher: Publisher,
  { userId, institution, accounts }: Duplicates,
  now: Date,
): Promise<void> {
  if (accounts.length === 0) return
  const user = await getKnownUser(tx, publisher.id, userId)
  const whose = { userId, institutionId: institution.id, day: toDay(now, publisher.timeZone) }
  const unreported = (await markDuplicatesReported(tx, publisher.id, whose, accounts.map(presentAccount))).map(toKey)
  const records = accounts
    .filter((account) => unreported.includes(toKey(presentAccount(account))))
    .map((account) => {
      const data = presentDuplicateEvent(user, institution, account)
      return { type: 'card.duplicate_detected' as const, userId, data }
    })
  await recordEvents(tx, publisher, records, now)
}

function presentAccount(account: BankAccount | null): AccountLook {
  return { name: account?.name ?? null, mask: account?.mask ?? null, subtype: account?.subtype ?? null }
}

function toKey({ name, mask, subtype }: AccountLook): string {
  return JSON.stringify([name, mask, subtype])
}
