/** A one-line fault injected into the source, and the test file that must fail because of it. */
export type Fault = {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly foundBy: string
}

/**
 * `npm run test:faults` injects the faults one at a time and runs the matching test file. Most can be caught only by
 * random tests, so the random cases that `npm test` generates must be enough to find each one.
 */
export const FAULTS: readonly Fault[] = [
  {
    what: 'logo requests are not rate-limited per network',
    file: 'src/purchases/linker/public-routes.ts',
    from: "scope.addHook('onRequest', onRequest)",
    to: 'void onRequest',
    foundBy: 'src/purchases/linker/routes.test.ts',
  },
  {
    what: 'the gross reward is always rounded down',
    file: 'src/platform/money.ts',
    from: 'product >= 0n ? (product + half) / PPM',
    to: 'product >= 0n ? product / PPM',
    foundBy: 'src/platform/money.test.ts',
  },
  {
    what: 'leftover units of a split go to the smallest remainders',
    file: 'src/platform/money.ts',
    from: 'a.remainder > b.remainder ? -1 : 1',
    to: 'a.remainder > b.remainder ? 1 : -1',
    foundBy: 'src/platform/money.test.ts',
  },
  {
    what: 'amounts below one major unit lose their leading zero',
    file: 'src/platform/money.ts',
    from: 'padStart(exponent + 1',
    to: 'padStart(exponent',
    foundBy: 'src/platform/money.test.ts',
  },
  {
    what: "the publisher's share is not deducted from the user's reward",
    file: 'src/catalog/offers/amounts.ts',
    from: 'gross - fee - publisher',
    to: 'gross - fee',
    foundBy: 'src/catalog/offers/split.test.ts',
  },
  {
    what: 'a reward capped by a user limit is a cent too low',
    file: 'src/catalog/offers/bounds.ts',
    from: 'found -= above',
    to: 'found -= above + 1n',
    foundBy: 'src/catalog/offers/bounds.test.ts',
  },
  {
    what: 'the remainder of a budget is lost when it is split over its slots',
    file: 'src/catalog/allowances/slots.ts',
    from: '(slot === 0 ? rest : 0n)',
    to: '(slot === 0 ? 0n : 0n)',
    foundBy: 'src/catalog/allowances/slots.test.ts',
  },
  {
    what: 'a reversed reversal still undoes its event in full',
    file: 'src/purchases/transactions/fold/event-tree.ts',
    from: 'plus(parent.undone, subtractReversals(node))',
    to: 'plus(parent.undone, node.own)',
    foundBy: 'src/purchases/transactions/fold/fold.test.ts',
  },
  {
    what: 'a reversal takes back none of the later clearings of its purchase',
    file: 'src/purchases/transactions/fold/event-tree.ts',
    from: 'named.left += node.left',
    to: 'named.left += 0n',
    foundBy: 'src/purchases/transactions/fold/fold.test.ts',
  },
  {
    what: 'an amount undone on a later clearing is undone again on the clearing that the later one names',
    file: 'src/purchases/transactions/fold/event-tree.ts',
    from: 'node.left -= reversal.most',
    to: 'node.left -= 0n',
    foundBy: 'src/purchases/transactions/fold/reversals.test.ts',
  },
  {
    what: 'a changed reward is posted again in full, not as the difference to the previous posting',
    file: 'src/purchases/transactions/rewards/settle.ts',
    from: 'post(book, change.after, minus(owed.amounts, root.amounts), payer, now)',
    to: 'post(book, change.after, owed.amounts, payer, now)',
    foundBy: 'src/purchases/transactions/replay/balances.test.ts',
  },
  {
    what: 'a refund reported by both publisher and feed is taken back twice',
    file: 'src/purchases/transactions/fold/fold.ts',
    from: 'plus(reversed, byOthers.amount > byPublisher.amount ? byOthers : byPublisher)',
    to: 'plus(reversed, plus(byPublisher, byOthers))',
    foundBy: 'src/purchases/transactions/fold/fold-state.test.ts',
  },
  {
    what: 'a refund known to one report of a card purchase is not counted for the other report',
    file: 'src/purchases/transactions/same-purchase/shared-refunds.ts',
    from: 'if (taken <= 0n) continue',
    to: 'if (taken <= more) continue',
    foundBy: 'src/purchases/transactions/same-purchase/reported-twice.test.ts',
  },
  {
    what: 'a refund that publisher and feed attach to different purchases is taken back from both',
    file: 'src/purchases/transactions/replay/replay-input.ts',
    from: 'found: findRefundPairs(loadedAlone, found, findCard)',
    to: 'found: []',
    foundBy: 'src/purchases/transactions/same-purchase/refund-histories.test.ts',
  },
  {
    what: 'a corrected feed refund counts as a publisher refund',
    file: 'src/purchases/transactions/intake/refund-queries.ts',
    from: 'e.amount - least(e.amount, undone.amount)',
    to: 'e.amount',
    foundBy: 'src/purchases/linker/feed/also-reported.test.ts',
  },
  {
    what: 'a card purchase reported by both publisher and feed counts as two',
    file: 'src/purchases/transactions/same-purchase/card-purchases.ts',
    from: 'createMatcher: (reported) => (feed) => isOnePurchase(feed, reported)',
    to: 'createMatcher: () => () => false',
    foundBy: 'src/purchases/transactions/same-purchase/card-purchases.test.ts',
  },
  {
    what: 'a sale reported by both network and publisher counts as two',
    file: 'src/purchases/transactions/same-purchase/network-sales.ts',
    from: 'createMatcher: (network) => (posted) => isOneSale(posted, network)',
    to: 'createMatcher: () => () => false',
    foundBy: 'src/purchases/transactions/same-purchase/network-sales.test.ts',
  },
  {
    what: 'a rejected item is still paid as part of its order',
    file: 'src/purchases/transactions/fold/sale-statements.ts',
    from: 'addUp(true) - lost',
    to: 'addUp(true)',
    foundBy: 'src/purchases/transactions/intake/reported-sales.test.ts',
  },
  {
    what: 'both reports of one purchase are paid',
    file: 'src/purchases/transactions/replay/replay.ts',
    from: 'if (outcome.owed.amounts.gross > 0n) paid.add(transactionId)',
    to: 'if (outcome.owed.amounts.gross < 0n) paid.add(transactionId)',
    foundBy: 'src/purchases/transactions/same-purchase/same-purchase.test.ts',
  },
  {
    what: 'a matured reward is released before its turn, so another purchase takes its allowance',
    file: 'src/purchases/transactions/replay/replay.ts',
    from: '? keptUntilTurn(one, outcomesBefore.get(one)) : undefined',
    to: '? undefined : undefined',
    foundBy: 'src/purchases/transactions/replay/replay.test.ts',
  },
  {
    what: 'a rematch decides earlier purchases as if matured ones still held the allowance that it takes from them',
    file: 'src/purchases/transactions/replay/replay.ts',
    from: 'passes < PASSES_MAX',
    to: 'passes < 1',
    foundBy: 'src/purchases/transactions/replay/replay.test.ts',
  },
  {
    what: 'purchases are decided in order of arrival, not in chronological order',
    file: 'src/purchases/transactions/replay/replay.ts',
    from: 'input.purchases.toSorted((a, b) => compareChronologically(toReplayOrder(a), toReplayOrder(b)))',
    to: '[...input.purchases]',
    foundBy: 'src/purchases/transactions/replay/order-of-arrival.test.ts',
  },
  {
    what: 'two feed rows continue the same hold',
    file: 'src/purchases/linker/feed/plan/pairing.ts',
    from: 'if (pairs.has(arrival.row.rowId) || taken.has(candidate.row.rowId)) continue',
    to: 'if (pairs.has(arrival.row.rowId)) continue',
    foundBy: 'src/purchases/linker/feed/plan/histories.test.ts',
  },
  {
    what: 'a posting that arrives as a new row leaves its hold earning a second reward',
    file: 'src/purchases/linker/feed/plan/row-events.ts',
    from: "if (place.handedAs === 'AUTHORIZATION' && row.kind === 'CLEARING')\n    return clearRow(draft, row, startRow(draft, row), place)",
    to: "if (place.handedAs === 'AUTHORIZATION' && row.kind === 'CLEARING')\n    return clearRow(draft, row, startRow(draft, row), null)",
    foundBy: 'src/purchases/linker/feed/plan/histories.test.ts',
  },
  {
    what: 'swapped letters count as two edits',
    file: 'src/platform/text/edit-distance.ts',
    from: '| less | swapped',
    to: '| less',
    foundBy: 'src/platform/text/edit-distance.test.ts',
  },
  {
    what: 'an export leaves out the comma between categories',
    file: 'src/catalog/catalog/feed/export.ts',
    from: 'listed.join(separator)',
    to: "listed.join('')",
    foundBy: 'src/catalog/catalog/feed/export.test.ts',
  },
]
