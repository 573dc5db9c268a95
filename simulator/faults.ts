import { randomUUID } from 'node:crypto'

/**
 * Injects faults into the provider API. The earliest fault that matches a call applies, and latency combines with any
 * other fault. Faults are stored only in memory, so a restart clears them.
 */

export const FAULT_KINDS = [
  'latency',
  'rate_limited',
  'server_error',
  'bad_gateway',
  'html',
  'truncated',
  'stalled',
  'dropped',
  'lost_answer',
  'error',
  'mutation',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

type FaultWish = {
  readonly kind: FaultKind
  readonly path?: string
  readonly item_id?: string
  readonly client_id?: string
  /** The number of calls it applies to, or 0 for all calls until it is deleted. */
  readonly times?: number
  /** The number of matching calls that pass before it applies. */
  readonly skip?: number
  readonly ms?: number
  readonly retry_after?: number
  readonly error_code?: string
}

export type Fault = FaultWish & { readonly fault_id: string; readonly struck: number }

type StruckCall = {
  readonly path: string
  readonly clientId: string
  readonly itemId: string | null
  /** True if the call requests a follow-up page of an update. */
  readonly betweenPages: boolean
}

export type Faults = {
  add(wish: FaultWish): Fault
  /** Returns the faults that are not used up yet. */
  list(): readonly Fault[]
  /** Returns false if there is no fault with this id. */
  remove(faultId: string): boolean
  clear(): void
  /**
   * Registers a call that a fault leaves hanging. `cut` runs when the fault is removed. Returns a function that
   * unregisters the call.
   */
  hang(faultId: string, cut: () => void): () => void
  /** Counts a call and returns the faults that apply to it: any latency faults and at most one other fault. */
  strike(call: StruckCall): readonly Fault[]
}

export function openFaults(): Faults {
  const faults = new Map<string, { readonly fault: FaultWish & { readonly fault_id: string }; met: number }>()
  const hanging = new Set<{ readonly faultId: string; cut(): void }>()

  function strike(call: StruckCall): readonly Fault[] {
    const struck: Fault[] = []
    for (const entry of faults.values()) {
      const { fault } = entry
      const isTaken = fault.kind !== 'latency' && struck.some(({ kind }) => kind !== 'latency')
      if (isTaken || !fits(fault, call)) continue
      entry.met++
      if (entry.met <= (fault.skip ?? 0)) continue
      const shown = present(entry)
      if (shown.struck === (fault.times ?? 1)) faults.delete(fault.fault_id)
      struck.push(shown)
    }
    return struck
  }

  /**
   * Cuts off the hanging calls of one fault or of all faults, including faults that are used up and no longer listed.
   */
  function cutHanging(faultId: string | null): void {
    for (const one of hanging) if (faultId === null || one.faultId === faultId) one.cut()
  }

  return {
    add: (wish) => {
      const entry = { fault: { ...wish, fault_id: randomUUID() }, met: 0 }
      faults.set(entry.fault.fault_id, entry)
      return present(entry)
    },
    list: () => [...faults.values()].map(present),
    remove: (faultId) => {
      cutHanging(faultId)
      return faults.delete(faultId)
    },
    clear: () => {
      cutHanging(null)
      faults.clear()
    },
    hang: (faultId, cut) => {
      const one = { faultId, cut }
      hanging.add(one)
      return () => hanging.delete(one)
    },
    strike,
  }
}

function present({ fault, met }: { fault: FaultWish & { readonly fault_id: string }; met: number }): Fault {
  return { ...fault, struck: Math.max(0, met - (fault.skip ?? 0)) }
}

/**
 * True if the fault matches the call. A mutation fault without `skip` matches only requests for a follow-up page,
 * because a mutation happens between two pages.
 */
function fits(fault: FaultWish, call: StruckCall): boolean {
  const { kind, path = kind === 'mutation' ? '/transactions/sync' : call.path } = fault
  const { client_id = call.clientId, item_id = call.itemId } = fault
  const here = path === call.path && client_id === call.clientId && item_id === call.itemId
  return here && (kind !== 'mutation' || fault.skip !== undefined || call.betweenPages)
}
