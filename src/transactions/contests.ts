import type { Assortment, Offer } from '../catalog/index.ts'
import type { Amounts, Terms } from '../offers/index.ts'
import type { StatusReason, Transaction } from '../rewards/index.ts'
import type { Folded } from './fold.ts'
import type { Subject } from './history.ts'
import type { Bought, Limits } from './limits.ts'
import { releaseUse, type Uses } from './uses.ts'

// What an offer gives each user only so often belongs to the purchases that were made first, whoever is told of first.

type Scene = { readonly uses: Uses; readonly limits: Limits }

/** Whether the purchases of one user compete for what this offer gives. */
export function isContested({ oneTimeUse, conditions }: Offer): boolean {
  return oneTimeUse || conditions.uniqueCodes || conditions.userLimits.length > 0
}

/** Whether what these terms give can be another purchase's. */
export function areContested({ catalog }: Assortment, terms: Terms): boolean {
  const offer = catalog.offers.get(terms.offerUid)
  return terms.oneTimeUse || (offer !== undefined && isContested(offer))
}

// A purchase that has come to too little has its use still, for it may come to more.
const HOLDING: ReadonlySet<StatusReason | null | undefined> = new Set<StatusReason | null>([
  null,
  'below_min_spend',
  'no_commission_group',
  'no_reward_value',
])

/** Whether an earlier purchase of the same user can take from this one what it has. What has matured stays. */
export function canBeOutrun(
  assortment: Assortment,
  { terms, status, statusReason }: Pick<Subject, 'terms' | 'status' | 'statusReason'>,
): boolean {
  return terms != null && status !== 'EARNED' && HOLDING.has(statusReason) && areContested(assortment, terms)
}

/** Frees what these purchases, in the order in which they were made, hold of what each user gets only so often: they take it up again in their turn. */
export function letGoOfUses({ uses, limits }: Scene, purchases: readonly Subject[]): void {
  for (const { userId, transactionId, terms } of purchases)
    if (terms != null) releaseUse(uses, userId, terms.offerUid, transactionId)
  limits.letGo(purchases)
}

/** Whether a purchase that had let go finds that an earlier one has taken what it had. */
export function isOutrun({ uses, limits }: Scene, root: Transaction, bought: Bought, had: Amounts): boolean {
  const { terms } = root
  if (terms === null || had.gross === 0n || !limits.hasLetGo(root) || isEmpty(bought)) return false
  if (terms.oneTimeUse && uses.isTaken(root.userId, terms.offerUid, root.transactionId)) return true
  const bound = limits.boundFor(root, bought, terms, had)
  return bound !== null && bound.reason !== 'budget_exhausted' && bound.gross < had.gross
}

function isEmpty({ folded }: { readonly folded: Folded }): boolean {
  return folded.emptyReason !== null || !folded.isPurchase
}
