import type { Reader, Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { AccountId, Role, Staff } from './account.ts'

/** A staff member, who signs in at the console. */
export type Person = {
  readonly accountId: AccountId
  readonly publisherId: PublisherId | null
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly hasPassword: boolean
  readonly hasTotp: boolean
  readonly createdAt: Date
  readonly disabledAt: Date | null
  /** The time of the latest request in any open session. */
  readonly lastUsedAt: Date | null
}

type NewPerson = Pick<Person, 'accountId' | 'publisherId' | 'email' | 'name' | 'role'> & {
  readonly kind: Staff['kind']
}

/** @returns false if someone in the company, invited or active, already has this address */
export async function insertPerson(tx: Tx, person: NewPerson, now: Date): Promise<boolean> {
  const { count } = await tx`
    insert into accounts (account_id, kind, publisher_id, role, email, name, created_at)
    values (${person.accountId}, ${person.kind}, ${person.publisherId}, ${person.role}, ${person.email}, ${person.name}, ${now})
    on conflict (publisher_id, lower(email)) where kind <> 'user' do nothing`
  return count === 1
}

/** Lists the staff of the operating company, or of a publisher. */
export async function listPeople(
  reader: Reader,
  publisherId: PublisherId | null,
  accountId: AccountId | null = null,
): Promise<Person[]> {
  return reader<Person[]>`
    select a.account_id, a.publisher_id, a.email, a.name, a.role, a.password is not null as has_password,
      a.totp_since is not null as has_totp, a.created_at, a.disabled_at,
      (select max(last_used_at) from sessions s where s.account_id = a.account_id) as last_used_at
    from accounts a
    where a.kind <> 'user' and a.publisher_id is not distinct from ${publisherId}::uuid
      and (${accountId}::uuid is null or a.account_id = ${accountId}::uuid)
    order by a.created_at, a.account_id`
}

export async function updatePerson(
  tx: Tx,
  accountId: AccountId,
  { role, disabledAt }: Pick<Person, 'role' | 'disabledAt'>,
): Promise<void> {
  // all publishers: the caller has already found the account within its company
  await tx`update accounts set role = ${role}, disabled_at = ${disabledAt} where account_id = ${accountId}`
}
