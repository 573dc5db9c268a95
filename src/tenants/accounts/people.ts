import type { Reader, Tx } from '../../platform/db/database.ts'
import { encodeId, newUuid, type PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AccountId, Role, StaffRole } from './account.ts'
import type { Actor } from './actor.ts'
import { audit } from './audit/audit.ts'
import { deleteTokens, updateAccount } from './credential-queries.ts'
import type { AccountRefusal } from './errors.ts'
import { deleteLinksTo, queueMail } from './mail/queries.ts'
import * as queries from './people-queries.ts'
import { endSessions } from './sessions.ts'
import { issueToken } from './tokens.ts'

/** The operating company, or one publisher. */
type Company =
  | { readonly publisherId: null; readonly role: Role }
  | { readonly publisherId: PublisherId; readonly role: StaffRole }

/**
 * Creates an account for a person and emails them a link to set their password. The result does not reveal whether the
 * address has an account at another company. Only the email to the person mentions such an account.
 * @throws Refusal email_taken if someone in the company already has the address
 */
export async function invitePerson(
  tx: Tx,
  { email, publisherId, role }: Company & { readonly email: string },
  by: Actor,
  now: Date,
): Promise<queries.Person> {
  const accountId = newUuid<'account'>()
  const kind = publisherId === null ? 'operator' : 'publisher'
  // A placeholder until the person accepts the invitation and enters a name.
  const name = email.slice(0, email.indexOf('@')) || email
  if (!(await queries.insertPerson(tx, { accountId, kind, publisherId, role, email, name }, now)))
    throw new Refusal<AccountRefusal>(
      'email_taken',
      'Someone in your company already has this email address, or was invited at it.',
      {
        field: 'email',
      },
    )
  await queueMail(tx, { kind: 'invitation', email }, now)
  const after = { email, role, publisher_id: publisherId === null ? null : encodeId('pub', publisherId) }
  await audit(tx, { actor: by, action: 'account.invited', subject: encodeId('acc', accountId), after }, now)
  return getPerson(tx, accountId, publisherId)
}

/**
 * Sends the invitation again.
 * @throws Refusal account_not_found, or account_active if the person has already accepted
 */
export async function inviteAgain(
  tx: Tx,
  { accountId, publisherId }: { readonly accountId: AccountId; readonly publisherId: PublisherId | null },
  by: Actor,
  now: Date,
): Promise<queries.Person> {
  const person = await getPerson(tx, accountId, publisherId)
  if (person.hasPassword)
    throw new Refusal<AccountRefusal>(
      'account_active',
      'This person has already accepted. They can reset their password.',
    )
  await queueMail(tx, { kind: 'invitation', email: person.email }, now)
  const { email } = person
  await audit(tx, { actor: by, action: 'account.invited', subject: encodeId('acc', accountId), after: { email } }, now)
  return person
}

type PersonChange = { readonly role?: Role; readonly disabled?: boolean }

/**
 * Changes a person's role, or disables or enables them. Their sessions end, so the change takes effect immediately.
 * Disabling or enabling also invalidates all their links, so that no old link lets them back in. People cannot change
 * their own account, so at least one admin remains.
 * @param publisherId the company that the person must belong to
 * @throws Refusal account_not_found, own_account
 */
export async function changePerson(
  tx: Tx,
  { accountId, publisherId, ...change }: PersonChange & Pick<queries.Person, 'accountId' | 'publisherId'>,
  by: Actor,
  now: Date,
): Promise<queries.Person> {
  const before = await getPerson(tx, accountId, publisherId)
  const subject = encodeId('acc', accountId)
  if (by.id === subject)
    throw new Refusal<AccountRefusal>('own_account', 'You cannot change your own role or disable your own account.')
  const { role = before.role, disabled = before.disabledAt !== null } = change
  await updateAccount(tx, accountId, { role, disabledAt: disabled ? (before.disabledAt ?? now) : null })
  await endSessions(tx, { accountId }, null)
  if (disabled !== (before.disabledAt !== null)) {
    await deleteTokens(tx, accountId)
    await deleteLinksTo(tx, before)
  }
  await audit(
    tx,
    {
      actor: by,
      action: 'account.changed',
      subject,
      before: { role: before.role, disabled: before.disabledAt !== null },
      after: { role, disabled },
    },
    now,
  )
  return getPerson(tx, accountId, publisherId)
}

/**
 * Returns a staff member of the company.
 * @throws Refusal account_not_found for an account of another company
 */
export async function getPerson(
  reader: Reader,
  accountId: AccountId,
  publisherId: PublisherId | null,
): Promise<queries.Person> {
  const [person] = await queries.listPeople(reader, publisherId, accountId)
  if (person === undefined) throw new Refusal<AccountRefusal>('account_not_found', 'There is no such account.')
  return person
}

/**
 * Issues the token of a one-time sign-in link, for someone who has lost both their password and access to their email.
 * @throws Refusal account_not_found
 */
export async function linkFor(
  tx: Tx,
  { accountId, publisherId }: Pick<queries.Person, 'accountId' | 'publisherId'>,
  by: Actor,
  now: Date,
): Promise<string> {
  await getPerson(tx, accountId, publisherId)
  await audit(tx, { actor: by, action: 'account.link_made', subject: encodeId('acc', accountId) }, now)
  return issueToken(tx, accountId, 'enter', now)
}

/** Issues the token of a sign-in link for an admin; null once any admin has set a password. */
export async function linkForFirstAdmin(tx: Tx, email: string, by: Actor, now: Date): Promise<string | null> {
  const admins = (await queries.listPeople(tx, null)).filter(
    ({ role, disabledAt }) => role === 'admin' && disabledAt === null,
  )
  if (admins.some(({ hasPassword }) => hasPassword)) return null
  const [known] = admins
  if (known !== undefined) return issueToken(tx, known.accountId, 'enter', now)
  const accountId = newUuid<'account'>()
  const person = {
    accountId,
    kind: 'operator' as const,
    publisherId: null,
    role: 'admin' as const,
    email,
    name: 'Admin',
  }
  if (!(await queries.insertPerson(tx, person, now))) return null
  await audit(
    tx,
    { actor: by, action: 'account.created', subject: encodeId('acc', accountId), after: { email, role: 'admin' } },
    now,
  )
  return issueToken(tx, accountId, 'enter', now)
}
