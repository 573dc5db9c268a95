import Type from 'typebox'
import { emailField, enumField, namedObject, namedStrictObject, strictObject } from '../../../platform/http/index.ts'
import { decodeId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type AccountId, type AccountRefusal, PERSON, type Role } from '../../accounts/index.ts'

export const AccountParams = strictObject({
  account_id: Type.String({ maxLength: 40, description: 'ID of the account.' }),
})

export const PeopleSchema = namedObject('PersonList', {
  content: Type.Array(PERSON.schema, { description: 'People, in the order they were invited.' }),
})

/** Returns the request bodies for inviting and changing the people of a company whose staff can have these roles. */
export function buildStaffSchemas<const Allowed extends Role>(prefix: string, roles: readonly Allowed[]) {
  return {
    InvitationSchema: namedStrictObject(`${prefix}Invitation`, {
      email: emailField(),
      role: enumField(roles, "The person's role."),
    }),
    ChangeSchema: namedStrictObject(
      `${prefix}Change`,
      {
        role: Type.Optional(enumField(roles, "The person's new role.")),
        disabled: Type.Optional(Type.Boolean({ description: 'Whether the person is barred from signing in.' })),
      },
      { minProperties: 1 },
    ),
  }
}

/**
 * Parses an account ID.
 * @throws Refusal account_not_found if it is malformed
 */
export function parseAccountId(uid: string): AccountId {
  const accountId = decodeId<'account'>('acc', uid)
  if (accountId === null) throw new Refusal<AccountRefusal>('account_not_found', 'There is no such account.')
  return accountId
}
