import { type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { boolean, id, instant, oneOf, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'
import { type AccountId, ROLES, type Staff } from './account.ts'

/** A staff member, who signs in at the console. */
export const PERSON = resource(
  'Person',
  {
    account_id: id('acc', { example: 'acc_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'ID of the account.' }),
    publisher_id: id('pub', {
      nullable: true,
      example: null,
      description: 'The publisher, or null if the person belongs to the operating company.',
    }),
    email: text({ example: 'mara@example.com' }),
    name: text({ example: 'Mara Rossi', description: 'Name of the person.' }),
    role: oneOf(ROLES, { example: 'support', description: "The person's role." }),
    status: oneOf(['invited', 'active', 'disabled'], {
      joined: true,
      example: 'active',
      description: 'invited: no password has been set yet.',
    }),
    has_totp: boolean({
      joined: true,
      example: true,
      description: 'Whether each sign-in requires an authenticator app.',
    }),
    created_at: instant({ example: '2026-11-21T10:15:30.000Z' }),
    last_used_at: instant({
      joined: true,
      nullable: true,
      example: '2026-11-22T08:00:00.000Z',
      description: 'Last request of a session that has not ended; RFC 3339.',
    }),
  },
  { disabledAt: column<Date | null>() },
)

export type Person = ResourceRow<typeof PERSON> & { readonly hasPassword: boolean }

type NewPerson = Pick<Person, 'accountId' | 'publisherId' | 'email' | 'name' | 'role'> & {
  readonly kind: Staff['kind']
}

/** @returns false if someone in the company, invited or active, already has this address */
export async function insertPerson(tx: Tx, person: NewPerson, now: Date): Promise<boolean> {
  const { count } = await tx`
    insert into accounts ${tx({ ...person, createdAt: now })}
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
    select ${selectColumns(reader, 'a', PERSON.columns)}, a.password is not null as has_password,
      a.totp_since is not null as has_totp,
      case
        when a.disabled_at is not null then 'disabled'
        when a.password is not null then 'active'
        else 'invited'
      end as status,
      (select max(last_used_at) from sessions s where s.account_id = a.account_id) as last_used_at
    from accounts a
    where a.kind <> 'user' and a.publisher_id is not distinct from ${publisherId}::uuid
      and (${accountId}::uuid is null or a.account_id = ${accountId}::uuid)
    order by a.created_at, a.account_id`
}
