import pack from './trades.json' with { type: 'json' }

// Trades by the category codes their businesses are filed under. A trade after a brand's name points to a different
// business unless it is the brand's own trade: `GRILL` adds nothing to a restaurant's name, but contradicts an
// airline's. Catalogs list codes generously, so one shared code proves little. A brand is in a trade if it has all the
// codes that mark the trade, or no codes except the trade's.

const tradesByWord = Map.groupBy(
  pack.flatMap(({ codes, marks, words }) => {
    const trade = { codes: new Set(codes.split(' ')), marks: marks.split(' ') }
    return words.split(' ').map((word) => ({ word, ...trade }))
  }),
  ({ word }) => word,
)

/** Returns true if the word names a trade that a brand with these category codes is in. */
export function isOwnTrade(word: string, mccs: readonly string[]): boolean {
  const trades = mccs.length === 0 ? undefined : tradesByWord.get(word)
  return trades?.some(({ codes, marks }) => containsAll(mccs, marks) || mccs.every((mcc) => codes.has(mcc))) === true
}

const containsAll = (mccs: readonly string[], marks: readonly string[]) => marks.every((mark) => mccs.includes(mark))

/** Returns true if the word names any trade. */
export const isTrade = (word: string) => tradesByWord.has(word)
