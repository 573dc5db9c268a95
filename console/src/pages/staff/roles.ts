import type { Schemas } from '../../api/client.ts'

export type Person = Schemas['Person']
/** Roles, and what each allows. */
export type Roles<Role extends string> = readonly (readonly [role: Role, what: string])[]
