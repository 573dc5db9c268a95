import { randomInt } from 'node:crypto'
import { FORGERIES, type Forgery } from './signing.ts'

/**
 * Webhook faults requested by a test or a developer. Probabilities are between 0 and 1. Omitted fields cause no faults.
 */
export type WebhookFaultSettings = {
  readonly lose?: number
  readonly double?: number
  readonly delay_ms?: number
  readonly reorder?: boolean
  readonly badly_sign?: number
  readonly seed?: number
}

/** The plan for delivering one webhook. */
export type DeliveryPlan = {
  /** Never delivered with a valid signature and never retried. */
  readonly lost: boolean
  readonly doubled: boolean
  /** Sent once with this invalid signature before the valid one; null for none. */
  readonly forgery: Forgery | null
  readonly delayMs: number
}

export type WebhookFaults = {
  readonly setting: Required<WebhookFaultSettings>
  /** Returns the next webhook's plan. The same seed always yields the same plans. */
  next(): DeliveryPlan
}

export const NO_FAULTS: DeliveryPlan = { lost: false, doubled: false, forgery: null, delayMs: 0 }

export function openWebhookFaults(wanted: WebhookFaultSettings): WebhookFaults {
  const seed = wanted.seed ?? randomInt(2 ** 32)
  const setting = { lose: 0, double: 0, delay_ms: 0, reorder: false, badly_sign: 0, ...wanted, seed }
  const draw = drawFrom(seed)

  function next(): DeliveryPlan {
    // Every webhook draws the same number of values, so that changing one setting does not change the results of
    // another.
    const [lose, double, forge, way] = [draw(), draw(), draw(), draw()]
    const forgery = FORGERIES[Math.floor(way * FORGERIES.length)] ?? 'other_key'
    return {
      lost: lose < setting.lose,
      doubled: double < setting.double,
      forgery: forge < setting.badly_sign ? forgery : null,
      delayMs: setting.delay_ms,
    }
  }

  return { setting, next }
}

/** Returns a generator of pseudorandom numbers in [0, 1) from a seed, using mulberry32. */
function drawFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
