import type { Schemas } from '../../api/client.ts'

export type Person = Schemas['Person']
/** The lists of the operating company's staff and of publishers' staff. */
export const STAFF = ['/operator/staff', '/staff'] as const
/** Roles, and what each allows. */
export type Roles<Role extends string> = readonly (readonly [role: Role, what: string])[]
