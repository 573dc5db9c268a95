import type { Id, PublisherId, UserId } from '../../platform/ids.ts'

export type AccountId = Id<'account'>
export type SessionId = Id<'session'>

/** Roles of the operating company's staff. src/tenants/access/permissions.ts defines what each role may do. */
export const ROLES = ['admin', 'catalog', 'finance', 'support', 'read-only'] as const
export type Role = (typeof ROLES)[number]

/** Roles of a publisher's staff. */
export const STAFF_ROLES = ['admin', 'support', 'read-only'] as const satisfies readonly Role[]
export type StaffRole = (typeof STAFF_ROLES)[number]

type StaffMember<Kind extends string> = { readonly kind: Kind; readonly accountId: AccountId; readonly name: string }
/** A signed-in staff member, of the operating company or of one publisher. Staff sign in at the console. */
export type Staff =
  | (StaffMember<'operator'> & { readonly role: Role })
  | (StaffMember<'publisher'> & { readonly role: StaffRole; readonly publisherId: PublisherId })
/** A user in their publisher's portal, signed in with their own account or through a link from the publisher. */
export type PortalUser = {
  readonly kind: 'user'
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly accountId: AccountId | null
}

/** Where a person signs in: the console, or a publisher's portal in the language the person uses there. */
export type Realm = 'console' | { readonly publisherId: PublisherId; readonly language: string }
