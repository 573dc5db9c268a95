export const PAYOUT_FAULTS = ['unavailable', 'lost_answer', 'slow', 'unreadable'] as const
export type PayoutFault = (typeof PAYOUT_FAULTS)[number]

/** What goes wrong with the next calls to the bank. Kept in memory: after a restart nothing does. */
export type PayoutFaults = {
  /** How long a slow call takes. */
  readonly slowMs: number
  set(wish: { readonly fault: PayoutFault; readonly calls: number }): void
  clear(): void
  /** The number of calls that it still applies to; null when all go well. */
  status(): { readonly fault: PayoutFault | null; readonly calls: number }
  /** Counts a call and says what goes wrong with it. */
  strike(): PayoutFault | null
}

/** Longer than a client should wait for a bank that is well. */
const SLOW_MS = 5000

export function openPayoutFaults(slowMs = SLOW_MS): PayoutFaults {
  let fault: PayoutFault | null = null
  let calls = 0

  function clear(): void {
    fault = null
    calls = 0
  }

  function strike(): PayoutFault | null {
    const struck = fault
    if (struck !== null && --calls === 0) clear()
    return struck
  }

  return {
    slowMs,
    set: (wish) => {
      ;({ fault, calls } = wish)
      if (calls === 0) clear()
    },
    clear,
    status: () => ({ fault, calls }),
    strike,
  }
}
