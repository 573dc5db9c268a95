import { ACCESS } from './refusals-access.ts'
import { MONEY } from './refusals-money.ts'
import { PURCHASES } from './refusals-purchases.ts'
import { USERS } from './refusals-users.ts'

/**
 * The status, title, cause and remedy of each code. Adding a code without an entry is a compile error. Each code's
 * page, the API reference and docs/reference/problems.md are generated from this table.
 */
export const REFUSALS = { ...ACCESS, ...USERS, ...PURCHASES, ...MONEY }
