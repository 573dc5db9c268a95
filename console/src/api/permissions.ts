import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from './client.ts'
import { me, ownPublisher, type Person } from './queries.ts'

/** What an operation of the operating company needs. */
export type Permission = Schemas['OperatorPermission']
/** What an operation of a publisher needs, of whoever calls it in the publisher's place. */
export type Scope = Schemas['ApiKeyScope']

/** Why the person may not do something; null when they may. */
export function refusalOf({ kind, role, permissions }: Person, permission: Permission): string | null {
  if (permissions.includes(permission)) return null
  return kind === 'publisher'
    ? 'Only people of the operating company can do this.'
    : `Your role, ${role}, does not include ${permission}.`
}

export function scopeRefusalOf({ role }: Person, scopes: readonly Scope[], scope: Scope): string | null {
  return scopes.includes(scope) ? null : `Your role, ${role}, does not include ${scope} at publishers.`
}

/** Returns why the person may not do something; null when they may. */
export function useRefusalOf(): (permission: Permission) => string | null {
  const { data } = useSuspenseQuery(me)
  return (permission) => refusalOf(data, permission)
}

/** The same for what is done in the place of a publisher. */
export function useScopeRefusalOf(publisherId: string): (scope: Scope) => string | null {
  const { data: person } = useSuspenseQuery(me)
  const { data } = useSuspenseQuery(ownPublisher(publisherId))
  return (scope) => scopeRefusalOf(person, data.scopes, scope)
}

/** The person who opened the address may not see the page; the message says why. */
export class NotForYou extends Error {}

/** Before a page of the operating company is loaded. @throws NotForYou */
export function needs(permission: Permission) {
  return ({ context: { person } }: { readonly context: { readonly person: Person } }): void =>
    refuse(refusalOf(person, permission))
}

type AtPublisher = { readonly person: Person; readonly scopes: readonly Scope[] }

/** Before a page of a publisher is loaded. @throws NotForYou */
export function needsScope(scope: Scope) {
  return ({ context: { person, scopes } }: { readonly context: AtPublisher }): void =>
    refuse(scopeRefusalOf(person, scopes, scope))
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new NotForYou(reason)
}
