import { setTimeout as pause } from 'node:timers/promises'
import { currentKey, signBody } from './signing.ts'
import type { Item } from './state.ts'
import type { Store } from './store.ts'

export type Webhooks = {
  /** Queues a webhook to the item's address, if it has one, and returns at once. */
  send(item: Item, type: 'ITEM' | 'TRANSACTIONS', code: string, fields?: Readonly<Record<string, unknown>>): void
  /** Stops retrying and returns when nothing is in flight. Undelivered webhooks are lost, as real ones can be. */
  close(): Promise<void>
}

/** The real provider waits 30 s and then four times longer each time; a simulator is watched by someone waiting. */
const RETRY_DELAYS_MS: readonly number[] = [500, 2_000, 8_000, 30_000]
/** The provider's own patience with a receiver. */
const ANSWER_TIMEOUT_MS = 10_000

export function openWebhooks(store: Store, nowOf: (item: Item) => Date, retryDelaysMs = RETRY_DELAYS_MS): Webhooks {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  /** The end of each item's queue of first attempts; they go out in order, while a retry waits for no one. */
  const queues = new Map<string, Promise<unknown>>()

  function send(item: Item, type: string, code: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const { webhook: url, itemId } = item
    if (url === null || stopping.signal.aborted) return
    const content = { webhook_type: type, webhook_code: code, item_id: itemId, ...fields, environment: 'sandbox' }
    // Spread over lines like the provider's own: a receiver that hashes a re-serialised body is found out here.
    const body = JSON.stringify(content, null, 2)
    const before = queues.get(itemId) ?? Promise.resolve()
    const first = before.then(() => attempt(url, body))
    queues.set(itemId, first)
    const delivery = first.then(async (delivered) => {
      if (queues.get(itemId) === first) queues.delete(itemId)
      if (delivered || (await retry(url, body))) noteDelivery(item, code)
    })
    running.add(delivery)
    delivery.finally(() => running.delete(delivery))
  }

  async function retry(url: string, body: string): Promise<boolean> {
    for (const delayMs of retryDelaysMs) {
      const waited = await pause(delayMs, true, { signal: stopping.signal, ref: false }).catch(() => false)
      if (!waited) return false
      if (await attempt(url, body)) return true
    }
    return false
  }

  /** Each attempt is signed anew, because receivers refuse signatures older than five minutes. */
  async function attempt(url: string, body: string): Promise<boolean> {
    const signature = signBody(currentKey(store.state, store.changed), body, new Date())
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'plaid-verification': signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      })
      await answer.body?.cancel()
      return answer.status === 200
    } catch {
      // Whatever went wrong between here and the receiver, the webhook was not delivered; that is all it means.
      return false
    }
  }

  function noteDelivery(item: Item, code: string): void {
    item.lastWebhook = { sent_at: nowOf(item).toISOString(), code_sent: code }
    store.changed()
  }

  async function close(): Promise<void> {
    stopping.abort()
    await Promise.all(running)
  }

  return { send, close }
}
