import { CUSTOMER_KINDS, type CustomerKind } from '../catalog/index.ts'
import { noAmounts, type Terms, targetOf, termsAsKnown, termsAskForHistory } from '../offers/index.ts'
import type { Ruling, Transaction } from '../rewards/index.ts'
import { beforeRefunds, type Folded } from './fold.ts'
import type { Limits } from './limits.ts'
import type { Surroundings } from './surroundings.ts'
import { releaseUse, type Uses } from './uses.ts'

type Around = Pick<Surroundings, 'previousPurchaseAt'>

/** What is ruled in the light of the earlier purchases that are known now. What has matured is not asked again. */
export function asKnown(root: Transaction, folded: Folded, ruling: Ruling, surroundings: Around): Ruling {
  if (ruling.terms === null || root.status === 'EARNED' || !termsAskForHistory(ruling.terms)) return ruling
  const previous = surroundings.previousPurchaseAt(root, ruling.terms.brandUid, folded)
  const known = termsAsKnown(ruling.terms, folded.authorizedAt, previous)
  return known.reason === null && isForOthers(known.terms, folded) ? { ...known, reason: 'no_commission_group' } : known
}

/** Whether all groups that pay for these goods are for another kind of customer. */
function isForOthers(terms: Terms, folded: Folded): boolean {
  const { customer } = terms
  if (customer === undefined) return false
  const isPaidTo = (kinds: readonly CustomerKind[]): boolean =>
    targetOf({ ...terms, minSpend: null, customer: { ...customer, kinds } }, beforeRefunds(folded)).reason !==
    'no_commission_group'
  return !isPaidTo(customer.kinds) && isPaidTo(CUSTOMER_KINDS)
}

/** Whether the frozen terms are for another kind of customer than this one was by all that is known now. */
export function isVoid(surroundings: Around, root: Transaction, folded: Folded): boolean {
  return asKnown(root, folded, { terms: root.terms, reason: null }, surroundings).reason !== null
}

/**
 * Frees what a purchase holds by terms that turned out not to be for it, so that one that was made earlier finds it free.
 * Answers whether there was such a promise.
 */
export function letGoOfPromise(
  { surroundings, uses, limits }: { readonly surroundings: Around; readonly uses: Uses; readonly limits: Limits },
  root: Transaction,
  folded: Folded | null,
): boolean {
  if (root.terms === null || folded === null || !isVoid(surroundings, root, folded)) return false
  releaseUse(uses, root.userId, root.terms.offerUid, root.transactionId)
  limits.settled(root, null, { terms: null, bound: null, earned: 0n, amounts: noAmounts })
  return true
}
