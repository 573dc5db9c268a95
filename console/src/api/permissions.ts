import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from './client.ts'
import { me, ownPublisher, type Person } from './queries.ts'

/** A permission required by an operation of the operating company. */
export type Permission = Schemas['OperatorPermission']
/** A scope that a publisher's operation requires of anyone who calls it on the publisher's behalf. */
export type Scope = Schemas['ApiKeyScope']

/** Returns the reason why the person may not do something, or null if they may. */
export function findRefusal({ kind, role, permissions }: Person, permission: Permission): string | null {
  if (permissions.includes(permission)) return null
  return kind === 'publisher'
    ? 'Only staff of the operating company can do this.'
    : `Your role, ${role}, does not include ${permission}.`
}

export function findScopeRefusal({ role }: Person, scopes: readonly Scope[], scope: Scope): string | null {
  return scopes.includes(scope) ? null : `Your role, ${role}, does not include ${scope} for publishers.`
}

/** Returns a function that explains why the person may not do something, or returns null if they may. */
export function useRefusal(): (permission: Permission) => string | null {
  const { data } = useSuspenseQuery(me)
  return (permission) => findRefusal(data, permission)
}

/** Like `useRefusal`, for operations on behalf of a publisher. */
export function useScopeRefusal(publisherId: string): (scope: Scope) => string | null {
  const { data: person } = useSuspenseQuery(me)
  const { data } = useSuspenseQuery(ownPublisher(publisherId))
  return (scope) => findScopeRefusal(person, data.scopes, scope)
}

/** Thrown when a person may not see the page they opened. The message states why. */
export class NotForYou extends Error {}

/**
 * Guards a page of the operating company before it loads.
 * @throws NotForYou
 */
export function needs(permission: Permission) {
  return ({ context: { person } }: { readonly context: { readonly person: Person } }): void =>
    refuse(findRefusal(person, permission))
}

type AtPublisher = { readonly person: Person; readonly scopes: readonly Scope[] }

/**
 * Guards a publisher's page before it loads.
 * @throws NotForYou
 */
export function needsScope(scope: Scope) {
  return ({ context: { person, scopes } }: { readonly context: AtPublisher }): void =>
    refuse(findScopeRefusal(person, scopes, scope))
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new NotForYou(reason)
}
