import { type Faults, openFaults } from './faults.ts'
import { type NextOrders, openNextOrders } from './gift-cards/next-orders.ts'
import { type Limits, openLimits } from './limits.ts'
import { openPartnerFaults, type PartnerFaults } from './partner-faults.ts'
import type { Item, State } from './state.ts'
import type { Store } from './store.ts'
import { openWebhooks, type Webhooks } from './webhooks.ts'

/** The state and tools of one running simulator, passed to every operation as the first argument. */
export type World = {
  readonly state: State
  /** Marks the state as changed, which schedules a snapshot. */
  readonly changed: () => void
  /** The simulated time: the real time plus the offset set through the control interface. */
  readonly now: () => Date
  /** The current time of one item: the simulated time plus the item's own offset. */
  readonly getNow: (item: Item) => Date
  readonly webhooks: Webhooks
  readonly faults: Faults
  readonly limits: Limits
  readonly payoutFaults: PartnerFaults
  /** Faults injected into calls to the gift card supplier. */
  readonly giftCardFaults: PartnerFaults
  readonly nextGiftCards: NextOrders
  /**
   * Returns the simulator's address for links: the public one if it exists, otherwise the host that the caller used.
   */
  readonly addressFor: (host: string) => string
}

type WorldOptions = {
  readonly webhookRetryDelaysMs?: readonly number[]
  readonly slowPayoutMs?: number
  /** The address for other machines on the network; null if the simulator listens only locally. */
  readonly publicAddress?: () => string | null
}

export function openWorld(store: Store, options: WorldOptions = {}): World {
  const { state, changed } = store
  const now = () => new Date(Date.now() + state.clockOffsetSeconds * 1000)
  const getNow = (item: Item) => new Date(now().getTime() + (item.clockOffsetSeconds ?? 0) * 1000)
  const webhooks = openWebhooks(store, getNow, options.webhookRetryDelaysMs)
  const addressFor = (host: string) => options.publicAddress?.() ?? `http://${host}`
  const payoutFaults = openPartnerFaults(options.slowPayoutMs)
  const giftCardFaults = openPartnerFaults(options.slowPayoutMs)
  return {
    state,
    changed,
    now,
    getNow,
    webhooks,
    faults: openFaults(),
    limits: openLimits(),
    payoutFaults,
    addressFor,
    giftCardFaults,
    nextGiftCards: openNextOrders(),
  }
}

/** Returns the calendar day of an instant. All simulated banks use UTC. */
export function toDay(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}
