/** A fault that one line of the source may have, and the test file that must fail when it has. */
export type Fault = {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly foundBy: string
}

/**
 * `npm run test:faults` plants one at a time and runs the file. Most are of the kind that random tests are there for:
 * what `npm test` plays of random cases must be enough to find each.
 */
export const FAULTS: readonly Fault[] = [
  {
    what: 'logos are not counted by address',
    file: 'src/linker/public-routes.ts',
    from: "scope.addHook('onRequest', onRequest)",
    to: 'void onRequest',
    foundBy: 'src/linker/routes.test.ts',
  },
  {
    what: 'a gross is rounded down',
    file: 'src/platform/money.ts',
    from: 'product >= 0n ? (product + half) / PPM',
    to: 'product >= 0n ? product / PPM',
    foundBy: 'src/platform/money.test.ts',
  },
  {
    what: 'the rest of a division goes to the smallest remainders',
    file: 'src/platform/money.ts',
    from: 'a.remainder > b.remainder ? -1 : 1',
    to: 'a.remainder > b.remainder ? 1 : -1',
    foundBy: 'src/platform/money.test.ts',
  },
  {
    what: 'amounts below one major unit lose a zero',
    file: 'src/platform/money.ts',
    from: 'padStart(exponent + 1',
    to: 'padStart(exponent',
    foundBy: 'src/platform/money.test.ts',
  },
  {
    what: "the publisher's share is not taken from the user's part",
    file: 'src/offers/amounts.ts',
    from: 'gross - fee - publisher',
    to: 'gross - fee',
    foundBy: 'src/offers/split.test.ts',
  },
  {
    what: 'a user limit is undercut by a cent',
    file: 'src/offers/bounds.ts',
    from: 'found -= above',
    to: 'found -= above + 1n',
    foundBy: 'src/offers/bounds.test.ts',
  },
  {
    what: 'what a budget has over an even division is lost',
    file: 'src/allowances/slots.ts',
    from: '(slot === 0 ? rest : 0n)',
    to: '(slot === 0 ? 0n : 0n)',
    foundBy: 'src/allowances/slots.test.ts',
  },
  {
    what: 'a reversed reversal still undoes all of its event',
    file: 'src/transactions/fold/event-tree.ts',
    from: 'plus(parent.undone, standingOf(node))',
    to: 'plus(parent.undone, node.own)',
    foundBy: 'src/transactions/fold/fold.test.ts',
  },
  {
    what: 'a reversal takes back none of the later clearings of its purchase',
    file: 'src/transactions/fold/event-tree.ts',
    from: 'named.left += node.left',
    to: 'named.left += 0n',
    foundBy: 'src/transactions/fold/fold.test.ts',
  },
  {
    what: 'what was undone of a later clearing is undone once more of the one that it names',
    file: 'src/transactions/fold/event-tree.ts',
    from: 'node.left -= reversal.most',
    to: 'node.left -= 0n',
    foundBy: 'src/transactions/fold/reversals.test.ts',
  },
  {
    what: 'a changed reward is posted whole again, not as the difference to what is posted',
    file: 'src/rewards/settle.ts',
    from: 'post(book, change.after, minus(owed.amounts, root.amounts), payer, now)',
    to: 'post(book, change.after, owed.amounts, payer, now)',
    foundBy: 'src/transactions/replay/balances.test.ts',
  },
  {
    what: 'a refund that publisher and feed report is taken back twice',
    file: 'src/transactions/fold/fold.ts',
    from: 'plus(reversed, byOthers.amount > byPublisher.amount ? byOthers : byPublisher)',
    to: 'plus(reversed, plus(byPublisher, byOthers))',
    foundBy: 'src/transactions/fold/fold-state.test.ts',
  },
  {
    what: 'a refund that one report of a card purchase knows does not count for the other',
    file: 'src/transactions/same-purchase/shared-refunds.ts',
    from: 'if (taken <= 0n) continue',
    to: 'if (taken <= more) continue',
    foundBy: 'src/transactions/same-purchase/reported-twice.test.ts',
  },
  {
    what: 'a refund that publisher and feed attach to different purchases is taken back from both',
    file: 'src/transactions/replay/scene.ts',
    from: 'found: refundPairsOf(loadedAlone, found, cardOf)',
    to: 'found: []',
    foundBy: 'src/transactions/same-purchase/refund-histories.test.ts',
  },
  {
    what: 'a refund of the feed that was corrected counts as one of the publisher',
    file: 'src/transactions/intake/refund-queries.ts',
    from: 'e.amount - least(e.amount, undone.amount)',
    to: 'e.amount',
    foundBy: 'src/linker/feed/also-reported.test.ts',
  },
  {
    what: 'a card purchase that publisher and feed report is two',
    file: 'src/transactions/same-purchase/card-purchases.ts',
    from: 'matcherOf: (reported) => (feed) => isOnePurchase(feed, reported)',
    to: 'matcherOf: () => () => false',
    foundBy: 'src/transactions/same-purchase/card-purchases.test.ts',
  },
  {
    what: 'a sale that network and publisher report is two',
    file: 'src/transactions/same-purchase/network-sales.ts',
    from: 'matcherOf: (network) => (posted) => isOneSale(posted, network)',
    to: 'matcherOf: () => () => false',
    foundBy: 'src/transactions/same-purchase/network-sales.test.ts',
  },
  {
    what: 'a rejected item is paid with its order',
    file: 'src/transactions/fold/sale-statements.ts',
    from: 'sumOf(true) - lost',
    to: 'sumOf(true)',
    foundBy: 'src/transactions/intake/reported-sales.test.ts',
  },
  {
    what: 'both reports of one purchase are paid',
    file: 'src/transactions/replay/replay.ts',
    from: 'if (outcome.owed.amounts.gross > 0n) paid.add(transactionId)',
    to: 'if (outcome.owed.amounts.gross < 0n) paid.add(transactionId)',
    foundBy: 'src/transactions/same-purchase/same-purchase.test.ts',
  },
  {
    what: 'what has matured is released before its turn, so that another purchase takes it',
    file: 'src/transactions/replay/replay.ts',
    from: '? keptUntilTurn(one, outcomesBefore.get(one)) : undefined',
    to: '? undefined : undefined',
    foundBy: 'src/transactions/replay/replay.test.ts',
  },
  {
    what: 'a re-match decides earlier purchases as if matured ones still held what it takes from them',
    file: 'src/transactions/replay/replay.ts',
    from: 'walks < WALKS_MAX',
    to: 'walks < 1',
    foundBy: 'src/transactions/replay/replay.test.ts',
  },
  {
    what: 'purchases are decided in the order in which they became known',
    file: 'src/transactions/replay/replay.ts',
    from: 'scene.purchases.toSorted((a, b) => chronologically(orderOf(a), orderOf(b)))',
    to: '[...scene.purchases]',
    foundBy: 'src/transactions/replay/order-of-arrival.test.ts',
  },
  {
    what: 'two rows of a feed continue the same hold',
    file: 'src/linker/feed/plan/pairing.ts',
    from: 'if (pairs.has(arrival.row.rowId) || taken.has(candidate.row.rowId)) continue',
    to: 'if (pairs.has(arrival.row.rowId)) continue',
    foundBy: 'src/linker/feed/plan/histories.test.ts',
  },
  {
    what: 'a posting that comes as a new row leaves its hold to earn beside it',
    file: 'src/linker/feed/plan/row-events.ts',
    from: "if (place.handedAs === 'AUTHORIZATION' && row.kind === 'CLEARING')\n    return clearRow(draft, row, startOf(draft, row), place)",
    to: "if (place.handedAs === 'AUTHORIZATION' && row.kind === 'CLEARING')\n    return clearRow(draft, row, startOf(draft, row), null)",
    foundBy: 'test/journeys/feeds/random-feeds.test.ts',
  },
  {
    what: 'swapped letters count as two mistakes',
    file: 'src/platform/edit-distance.ts',
    from: '| less | swapped',
    to: '| less',
    foundBy: 'src/platform/edit-distance.test.ts',
  },
  {
    what: 'an export leaves out a comma between categories',
    file: 'src/catalog/feed/export.ts',
    from: 'listed.join(separator)',
    to: "listed.join('')",
    foundBy: 'src/catalog/feed/export.test.ts',
  },
]
