import type { Id, PublisherId, UserId } from '../platform/ids.ts'

export type AccountId = Id<'account'>
export type SessionId = Id<'session'>

/** What a person of the operating company does; what that allows is said where it is asked for. */
export const ROLES = ['admin', 'catalog', 'finance', 'support', 'read-only'] as const
export type Role = (typeof ROLES)[number]

/** What a person of a publisher does. */
export const STAFF_ROLES = ['admin', 'support', 'read-only'] as const satisfies readonly Role[]
export type StaffRole = (typeof STAFF_ROLES)[number]

type StaffOf<Kind extends string> = { readonly kind: Kind; readonly accountId: AccountId; readonly name: string }
/** Who has signed in: staff of the operating company or of one publisher, at the console. */
export type Staff =
  | (StaffOf<'operator'> & { readonly role: Role })
  | (StaffOf<'publisher'> & { readonly role: StaffRole; readonly publisherId: PublisherId })
/** A user at the portal of their publisher, with an account of their own or by a link of the publisher. */
export type PortalUser = {
  readonly kind: 'user'
  readonly publisherId: PublisherId
  readonly userId: UserId
  readonly accountId: AccountId | null
}

/** Where people sign in: the console, or the portal of a publisher, with the language in which they read it. */
export type Realm = 'console' | { readonly publisherId: PublisherId; readonly language: string }
