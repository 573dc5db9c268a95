import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { SimulatorOptions } from '../index.ts'
import { openSimulator } from '../test-support.ts'
import type { PayoutEvent } from './state.ts'

/** The day on which the tests request their payouts. */
const START = Date.UTC(2026, 2, 1, 12)

type BankAnswer = {
  readonly payout_id: string
  readonly reference: string
  readonly status: string
  readonly error: { readonly code: string; readonly message: string; readonly field?: string }
  readonly events: readonly PayoutEvent[]
  readonly next_after: number
}

type ShownPayout = {
  readonly payout_id: string
  readonly account: string
  readonly reference: string
  readonly status: string
  readonly destination: object
  readonly planned: readonly object[]
}

/** Returns the instant this many days after the start. */
export function day(days: number): string {
  return new Date(START + days * 86_400_000).toISOString()
}

export function usAccount(ending: string, more: object = {}) {
  return {
    type: 'us_bank_account',
    holder_name: 'Ann Example',
    routing_number: '123456780',
    account_number: `1234567${ending}`,
    account_type: 'checking',
    ...more,
  }
}

export function request(reference: string, ending = '00', more: object = {}) {
  const destination = usAccount(ending)
  return { account: 'acct-a', reference, amount: '12.34', currency: 'USD', destination, at: day(0), ...more }
}

/** Starts a simulator for this test, with functions to call its bank. */
export async function openBank(t: TestContext, options: Partial<SimulatorOptions> = {}) {
  const simulator = await openSimulator(t, options)
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json' }

  async function pay(body: object): Promise<{ readonly status: number; readonly body: BankAnswer }> {
    const answer = await fetch(`${simulator.url}/payouts/v1/payouts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as BankAnswer }
  }

  async function ask(query: Readonly<Record<string, string>>) {
    const answer = await fetch(`${simulator.url}/payouts/v1/events?${new URLSearchParams(query)}`, { headers })
    return { status: answer.status, body: (await answer.json()) as BankAnswer }
  }

  /** Reads the events of an account, each as `sequence reference type code at`. */
  async function events(days: number, account = 'acct-a', more: Readonly<Record<string, string>> = {}) {
    const { status, body } = await ask({ account, at: day(days), ...more })
    assert.equal(status, 200)
    return body.events.map(({ sequence, reference, type, code, at }) => {
      return [sequence, reference, type, code ?? '-', (Date.parse(at) - START) / 86_400_000].join(' ')
    })
  }

  async function payouts(): Promise<readonly ShownPayout[]> {
    return (await simulator.ask<{ payouts: ShownPayout[] }>('payouts')).payouts
  }

  return { ...simulator, pay, askEvents: ask, events, payouts }
}
