import { type Faults, openFaults } from './faults.ts'
import { type NextOrders, openNextOrders } from './gift-cards/next-orders.ts'
import { type Limits, openLimits } from './limits.ts'
import { openPartnerFaults, type PartnerFaults } from './partner-faults.ts'
import type { Item, State } from './state.ts'
import type { Store } from './store.ts'
import { openWebhooks, type Webhooks } from './webhooks.ts'

/** The state that every verb works on, passed as the first argument. There is one for each running simulator. */
export type World = {
  readonly state: State
  /** Says that the state has changed, so that the snapshot follows. */
  readonly changed: () => void
  /** The simulated time: the machine's, moved by the control interface. */
  readonly now: () => Date
  /** The present of one item: the simulated time, moved by the item's own clock. */
  readonly nowOf: (item: Item) => Date
  readonly webhooks: Webhooks
  readonly faults: Faults
  readonly limits: Limits
  readonly payoutFaults: PartnerFaults
  /** The same for calls to the supplier of gift cards. */
  readonly giftCardFaults: PartnerFaults
  readonly nextGiftCards: NextOrders
  /** The simulator's own address for pages: the public one if there is one, otherwise as the caller named it. */
  readonly addressFor: (host: string) => string
}

type WorldOptions = {
  readonly webhookRetryDelaysMs?: readonly number[]
  readonly slowPayoutMs?: number
  /** The address at which others on the network reach this machine; null when it listens to this machine alone. */
  readonly publicAddress?: () => string | null
}

export function openWorld(store: Store, options: WorldOptions = {}): World {
  const { state, changed } = store
  const now = () => new Date(Date.now() + state.clockOffsetSeconds * 1000)
  const nowOf = (item: Item) => new Date(now().getTime() + (item.clockOffsetSeconds ?? 0) * 1000)
  const webhooks = openWebhooks(store, nowOf, options.webhookRetryDelaysMs)
  const addressFor = (host: string) => options.publicAddress?.() ?? `http://${host}`
  const payoutFaults = openPartnerFaults(options.slowPayoutMs)
  const giftCardFaults = openPartnerFaults(options.slowPayoutMs)
  return {
    ...{ state, changed, now, nowOf, webhooks, faults: openFaults(), limits: openLimits(), payoutFaults, addressFor },
    ...{ giftCardFaults, nextGiftCards: openNextOrders() },
  }
}

/** The calendar day of an instant. The simulator's banks all keep UTC. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}
