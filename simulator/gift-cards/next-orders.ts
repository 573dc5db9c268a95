export const NEXT_OUTCOMES = ['delayed', 'partial', 'failed', 'out_of_stock'] as const
type NextOutcome = (typeof NEXT_OUTCOMES)[number]

/** What becomes of the next orders, whatever is ordered. Kept in memory: after a restart they go as usual. */
export type NextOrders = {
  set(wish: { readonly outcome: NextOutcome; readonly orders: number }): void
  clear(): void
  status(): { readonly outcome: NextOutcome | null; readonly orders: number }
  /** Counts an order and says what becomes of it; null: the usual. */
  take(): NextOutcome | null
}

export function openNextOrders(): NextOrders {
  let outcome: NextOutcome | null = null
  let orders = 0

  function clear(): void {
    outcome = null
    orders = 0
  }

  return {
    set: (wish) => {
      ;({ outcome, orders } = wish)
      if (orders === 0) clear()
    },
    clear,
    status: () => ({ outcome, orders }),
    take: () => {
      const taken = outcome
      if (taken !== null && --orders === 0) clear()
      return taken
    },
  }
}
