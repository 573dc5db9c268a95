import { AMOUNTS, CAPS, GOODS, GROUPS, REFUNDS, SPEND } from './amounts.ts'
import { CHANNEL, CODES, STORES } from './evidence.ts'
import { LIMITS } from './limits.ts'
import type { Chapter } from './row.ts'
import { CUSTOMERS, DATES, HOURS, WHAT, WHO } from './who-and-when.ts'

/** The rule book of offers, in the order in which the rules are checked. */
export const RULE_BOOK: readonly Chapter[] = [
  WHO,
  WHAT,
  DATES,
  HOURS,
  CUSTOMERS,
  LIMITS,
  CODES,
  CHANNEL,
  STORES,
  AMOUNTS,
  SPEND,
  GROUPS,
  GOODS,
  CAPS,
  REFUNDS,
]
