export const NEXT_OUTCOMES = ['delayed', 'partial', 'failed', 'out_of_stock'] as const
type NextOutcome = (typeof NEXT_OUTCOMES)[number]

/**
 * The outcome forced on the next orders, regardless of their content. It is stored only in memory, so a restart clears
 * it.
 */
export type NextOrders = {
  set(wish: { readonly outcome: NextOutcome; readonly orders: number }): void
  clear(): void
  status(): { readonly outcome: NextOutcome | null; readonly orders: number }
  /** Counts an order and returns the outcome forced on it; null if none is forced. */
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
