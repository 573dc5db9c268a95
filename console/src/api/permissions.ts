import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from './client.ts'
import { me } from './queries.ts'

export type Permission = Schemas['OperatorPermission']

/** Returns why the person may not do something; null when they may. */
export function useRefusalOf(): (permission: Permission) => string | null {
  const { data } = useSuspenseQuery(me)
  return (permission) =>
    data.permissions.includes(permission) ? null : `Your role, ${data.role}, does not include ${permission}.`
}
