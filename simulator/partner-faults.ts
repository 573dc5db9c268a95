export const PARTNER_FAULTS = ['unavailable', 'lost_answer', 'slow', 'unreadable'] as const
export type PartnerFault = (typeof PARTNER_FAULTS)[number]

/**
 * Faults injected into the next calls to the bank or the gift card supplier. They are stored only in memory, so a
 * restart clears them.
 */
export type PartnerFaults = {
  /** The delay of a slow call. */
  readonly slowMs: number
  set(wish: { readonly fault: PartnerFault; readonly calls: number }): void
  clear(): void
  /** Returns the current fault (null if there is none) and the number of calls it still applies to. */
  status(): { readonly fault: PartnerFault | null; readonly calls: number }
  /** Counts a call and returns the fault that applies to it, if any. */
  strike(): PartnerFault | null
}

/** Longer than a client should wait for any call. */
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
