import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { openKeyedQueue } from './keyed-queue.ts'
import { type Forgery, forgeSignature, getCurrentKey, signBody } from './signing.ts'
import { type Item, type LinkToken, lookUp, type Webhook } from './state.ts'
import type { Store } from './store.ts'
import {
  type DeliveryPlan,
  NO_FAULTS,
  openWebhookFaults,
  type WebhookFaultSettings,
  type WebhookFaults,
} from './webhook-faults.ts'

export type Webhooks = {
  /** Queues a webhook to the item's address, if it has one, and returns without waiting. */
  send(item: Item, type: 'ITEM' | 'TRANSACTIONS', code: string, fields?: Fields): void
  /** Queues a webhook about a link page session to the address of its link token. */
  sendForLink(linkToken: LinkToken, code: string, fields: Fields): void
  /** Sets the faults for all later webhooks. */
  setFaults(setting: WebhookFaultSettings): void
  status(): { readonly settings: WebhookFaults['setting']; readonly deliveries: readonly ShownDelivery[] }
  /** Resends the last delivered webhooks, oldest first and freshly signed. Returns their number. */
  replay(wish: { readonly item_id?: string; readonly count?: number }): number
  /** Resumes webhooks that were undelivered when the simulator stopped. */
  resume(): void
  /** Stops retrying and resolves when nothing is in flight. Undelivered webhooks stay in the state. */
  close(): Promise<void>
}

type Fields = Readonly<Record<string, unknown>>

export type ShownDelivery = {
  readonly item_id: string | null
  readonly webhook_type: string
  readonly webhook_code: string
  readonly outcome: Outcome
  readonly attempts: number
  readonly at: string
}

type Outcome = 'waiting' | 'delivered' | 'failed' | 'lost'
type Delivery = { readonly webhook: Webhook; outcome: Outcome; attempts: number }

/**
 * Shorter than the real provider's delays, which start at 30 s and quadruple each time, because a developer is
 * watching.
 */
const RETRY_DELAYS_MS: readonly number[] = [500, 2_000, 8_000, 30_000]
/** The provider's own timeout for receivers. */
const ANSWER_TIMEOUT_MS = 10_000
const REMEMBERED = 200
const REPLAYED = 10

export function openWebhooks(store: Store, getNow: (item: Item) => Date, retryDelaysMs = RETRY_DELAYS_MS): Webhooks {
  const { state, changed } = store
  const post = openPost(store, retryDelaysMs)
  const remembered: Delivery[] = []
  let faults = openWebhookFaults({})
  let pairs = openPairs()

  function remember(webhook: Webhook): Delivery {
    const delivery: Delivery = { webhook, outcome: 'waiting', attempts: 0 }
    remembered.push(delivery)
    if (remembered.length > REMEMBERED) remembered.shift()
    return delivery
  }

  function start(delivery: Delivery, plan: DeliveryPlan): void {
    post.deliver(delivery, plan).then((outcome) => {
      // The simulator is stopping, so the webhook stays in the state.
      if (outcome === 'waiting') return
      const { webhookId, itemId, code } = delivery.webhook
      delivery.outcome = outcome
      delete state.undelivered[webhookId]
      const item = itemId === null ? undefined : lookUp(state.items, itemId)
      if (outcome === 'delivered' && item !== undefined) {
        item.lastWebhook = { sent_at: getNow(item).toISOString(), code_sent: code }
      }
      changed()
    })
  }

  function send({ url, itemId }: Recipient, type: string, code: string, fields: Fields): void {
    if (url === null || post.isClosed()) return
    const environment = state.environment ?? 'sandbox'
    const content = { webhook_type: type, webhook_code: code, ...fields, environment }
    // Formatted on several lines like the provider's, to expose receivers that hash a re-serialized body.
    const body = JSON.stringify(content, null, 2)
    const webhook = { webhookId: randomUUID(), itemId, url, type, code, body, sentAt: new Date().toISOString() }
    const delivery = remember(webhook)
    const plan = faults.next()
    // A lost webhook must not be sent after a restart.
    if (!plan.lost) state.undelivered[webhook.webhookId] = webhook
    changed()
    const begin = () => start(delivery, plan)
    if (faults.setting.reorder) pairs.swap(toQueueKey(webhook), begin)
    else begin()
  }

  return {
    send: (item, type, code, fields = {}) =>
      send({ url: item.webhook, itemId: item.itemId }, type, code, { item_id: item.itemId, ...fields }),
    sendForLink: (linkToken, code, fields) => send({ url: linkToken.webhook, itemId: null }, 'LINK', code, fields),
    setFaults: (setting) => {
      faults = openWebhookFaults(setting)
      pairs.release()
      pairs = openPairs()
    },
    status: () => ({ settings: faults.setting, deliveries: remembered.map(present) }),
    replay: ({ item_id, count = REPLAYED }) => {
      const known = remembered.filter(({ webhook, outcome }) => {
        return outcome === 'delivered' && webhook.itemId === (item_id ?? webhook.itemId)
      })
      const again = known.slice(-count)
      for (const delivery of again) post.repeat(delivery)
      return again.length
    },
    resume: () => {
      for (const webhook of Object.values(state.undelivered)) start(remember(webhook), NO_FAULTS)
    },
    close: post.close,
  }
}

type Recipient = { readonly url: string | null; readonly itemId: string | null }

/**
 * Returns the key of a webhook's queue. Each queue is sent in order. There is one queue per item and, for link page
 * sessions, one per webhook address.
 */
function toQueueKey({ itemId, url }: Webhook): string {
  return itemId ?? url
}

function present({ webhook, outcome, attempts }: Delivery): ShownDelivery {
  const { itemId: item_id, type: webhook_type, code: webhook_code, sentAt: at } = webhook
  return { item_id, webhook_type, webhook_code, outcome, attempts, at }
}

/**
 * Sends webhooks to receivers. First attempts for one item are made in order, but retries do not block other webhooks.
 */
function openPost(store: Store, retryDelaysMs: readonly number[]) {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Set<Promise<unknown>>()
  const queue = openKeyedQueue()
  const attempt = (delivery: Delivery, forgery: Forgery | null) => send(store, delivery, forgery, signal)

  function track<Result>(task: Promise<Result>): Promise<Result> {
    running.add(task)
    task.finally(() => running.delete(task))
    return task
  }

  async function deliver(delivery: Delivery, plan: DeliveryPlan): Promise<Outcome> {
    // Waits outside the queue, so that later webhooks can overtake this one.
    if (plan.delayMs > 0 && !(await waited(plan.delayMs))) return 'waiting'
    const delivered = await queue.run(toQueueKey(delivery.webhook), async () => {
      if (plan.forgery !== null) await attempt(delivery, plan.forgery)
      if (plan.lost) return false
      const first = await attempt(delivery, null)
      return plan.doubled ? (await attempt(delivery, null)) || first : first
    })
    if (plan.lost) return 'lost'
    if (delivered || (await retry(delivery))) return 'delivered'
    return signal.aborted ? 'waiting' : 'failed'
  }

  async function retry(delivery: Delivery): Promise<boolean> {
    for (const delayMs of retryDelaysMs) {
      if (!(await waited(delayMs))) return false
      if (await attempt(delivery, null)) return true
    }
    return false
  }

  function waited(delayMs: number): Promise<boolean> {
    return pause(delayMs, true, { signal, ref: false }).catch(() => false)
  }

  return {
    deliver: (delivery: Delivery, plan: DeliveryPlan) => track(deliver(delivery, plan)),
    repeat: (delivery: Delivery) => {
      track(queue.run(toQueueKey(delivery.webhook), () => attempt(delivery, null)))
    },
    isClosed: () => signal.aborted,
    close: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Makes one attempt. Each attempt is signed anew, because receivers reject signatures older than five minutes. */
async function send(store: Store, delivery: Delivery, forgery: Forgery | null, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  delivery.attempts++
  const { url, body } = delivery.webhook
  const key = getCurrentKey(store.state, store.changed)
  const signature = forgery === null ? signBody(key, body, new Date()) : forgeSignature(forgery, key, body)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'plaid-verification': signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    })
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    // Any error just means that the webhook was not delivered.
    return false
  }
}

/** The delay that lets the second webhook of a pair overtake the first. */
const PAIR_WAIT_MS = 1_000

/** Holds back the first webhook of each pair until the second is sent, but for no longer than `PAIR_WAIT_MS`. */
function openPairs() {
  const held = new Map<string, { readonly begin: () => void; readonly timer: NodeJS.Timeout }>()

  function letGo(queue: string): void {
    const one = held.get(queue)
    if (one === undefined) return
    clearTimeout(one.timer)
    held.delete(queue)
    one.begin()
  }

  return {
    swap: (queue: string, begin: () => void) => {
      if (held.has(queue)) {
        begin()
        letGo(queue)
        return
      }
      held.set(queue, { begin, timer: setTimeout(() => letGo(queue), PAIR_WAIT_MS).unref() })
    },
    release: () => {
      for (const queue of [...held.keys()]) letGo(queue)
    },
  }
}
