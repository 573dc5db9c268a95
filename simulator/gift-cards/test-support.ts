import type { TestContext } from 'node:test'
import type { SimulatorOptions } from '../index.ts'
import { openSimulator } from '../test-support.ts'

/** The day on which the tests place their orders. */
const START = Date.UTC(2026, 2, 1, 12)

type ShownCard = {
  readonly card_id: string
  readonly denomination: string
  readonly number: string
  readonly code: string
  readonly expires_on: string
}
type SupplierAnswer = {
  readonly order_id: string
  readonly status: string
  readonly cards: readonly ShownCard[]
  readonly balance: string
  readonly price: string
  readonly face_value: string
  readonly valid_until: string
  readonly products: readonly { readonly product: string; readonly denominations: readonly string[] | null }[]
  readonly error: { readonly code: string; readonly message: string; readonly field?: string }
}
type Answer = { readonly status: number; readonly body: SupplierAnswer }

/** Returns the instant this many days after the start. */
export function day(days: number): string {
  return new Date(START + days * 86_400_000).toISOString()
}

/** Builds an order request from lines of the form `denomination x quantity`. */
export function request(reference: string, lines: readonly string[] = ['25.00 x 1'], more: object = {}) {
  return {
    account: 'acct-a',
    reference,
    product: 'off_books',
    currency: 'USD',
    at: day(0),
    lines: lines.map((line) => {
      const [denomination = '', quantity] = line.split(' x ')
      return { denomination, quantity: Number(quantity) }
    }),
    ...more,
  }
}

/** Starts a simulator for this test, with functions to call its gift card supplier. */
export async function openSupplier(t: TestContext, options: Partial<SimulatorOptions> = {}) {
  const simulator = await openSimulator(t, options)
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const json = { 'content-type': 'application/json' }
    const answer = await fetch(`${simulator.url}/gift-cards/v1/${path}`, {
      method,
      headers: { authorization: 'Bearer any', ...(body === undefined ? {} : json) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as SupplierAnswer }
  }

  const order = (body: object) => call('POST', 'orders', body)
  const find = async (orderId: string, days: number) =>
    (await call('GET', `orders/${orderId}?${new URLSearchParams({ at: day(days) })}`)).body
  return { ...simulator, supply: call, order, find }
}
