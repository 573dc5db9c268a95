export const PARTNER_FAULTS = ['unavailable', 'lost_answer', 'slow', 'unreadable'] as const
export type PartnerFault = (typeof PARTNER_FAULTS)[number]

/** What goes wrong with the next calls to the bank, or to the supplier of gift cards. Kept in memory: after a restart nothing does. */
export type PartnerFaults = {
  /** How long a slow call takes. */
  readonly slowMs: number
  set(wish: { readonly fault: PartnerFault; readonly calls: number }): void
  clear(): void
  /** The number of calls that it still applies to; null when all go well. */
  status(): { readonly fault: PartnerFault | null; readonly calls: number }
  /** Counts a call and says what goes wrong with it. */
  strike(): PartnerFault | null
}

/** Longer than a client should wait for one that is well. */
const SLOW_MS = 5000

export function openPartnerFaults(slowMs = SLOW_MS): PartnerFaults {
  let fault: PartnerFault | null = null
  let calls = 0

  function clear(): void {
    fault = null
    calls = 0
  }

  function strike(): PartnerFault | null {
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
