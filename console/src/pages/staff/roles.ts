import type { Schemas } from '../../api/client.ts'

export type Person = Schemas['Person']
/** The paths of the lists of the operating company's staff and of a publisher's staff. */
export const STAFF = ['/operator/staff', '/staff'] as const
/** The roles and what each of them allows. */
export type Roles<Role extends string> = readonly (readonly [role: Role, what: string])[]
