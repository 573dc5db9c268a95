import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import {
  type Fault,
  linkItem,
  openSimulator,
  type TestSimulator,
  type Tokens,
  temporaryFolder,
} from './test-support.ts'

export type Row = {
  readonly transaction_id: string
  readonly account_id: string
  readonly amount: number
  readonly date: string
  readonly authorized_date: string | null
  readonly pending: boolean
  readonly pending_transaction_id: string | null
  readonly merchant_name: string | null
  readonly merchant_entity_id: string | null
  readonly website: string | null
  readonly location: { readonly city: string | null }
  readonly personal_finance_category: { readonly primary: string; readonly detailed: string } | null
}

type Page = {
  readonly added: readonly Row[]
  readonly modified: readonly Row[]
  readonly removed: readonly { readonly transaction_id: string }[]
  readonly next_cursor: string
  readonly has_more: boolean
  readonly transactions_update_status: string
}

/** The ids in one update, and the update status that the provider reports. */
type Seen = Readonly<Record<'added' | 'modified' | 'removed', string[]>>
type Update = Seen & { readonly status: string }

export async function buy({ control }: Pick<TestSimulator, 'control'>, purchase: object = {}): Promise<Row> {
  const { status, body } = await control<Row>('purchases', { merchant: 'Fern Foods', amount: 20, ...purchase })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

type Wish = Parameters<typeof linkItem>[1] & { readonly keeps?: boolean }

/** Links an item and opens a client of its feed that checks the provider's guarantees about added and removed rows. */
export async function openFeed(t: TestContext, { keeps = false, ...wish }: Wish = {}) {
  const options = keeps ? { dataFile: join(await temporaryFolder(t), 'simulator.json') } : {}
  const simulator = await openSimulator(t, options)
  return follow(t, simulator, await linkItem(simulator, wish), { cursor: '', copy: new Map(), options })
}

type Reading = { cursor: string; readonly copy: Map<string, Row>; readonly options: { readonly dataFile?: string } }

/**
 * Applies a page to the client's copy, asserting that added rows are new to it and that modified and removed rows exist
 * in it.
 */
function takeOver(page: Page, copy: Map<string, Row>, seen: Seen): void {
  for (const kind of ['added', 'modified'] as const) {
    for (const row of page[kind]) {
      assert.equal(copy.has(row.transaction_id), kind === 'modified', 'added means new, modified means known')
      seen[kind].push(row.transaction_id)
      copy.set(row.transaction_id, row)
    }
  }
  for (const { transaction_id } of page.removed) {
    assert.ok(copy.delete(transaction_id), 'removed means known')
    seen.removed.push(transaction_id)
  }
}

function follow(t: TestContext, simulator: TestSimulator, item: Tokens, reading: Reading) {
  const { copy } = reading
  let accessToken = item.access_token

  function call<Body = Fault>(path: string, body: object = {}) {
    return simulator.call<Body>(path, { access_token: accessToken, ...body })
  }

  async function read(count = 100): Promise<Update> {
    const seen: Seen = { added: [], modified: [], removed: [] }
    for (;;) {
      const options = { include_original_description: true }
      const { status, body } = await call<Page>('/transactions/sync', { cursor: reading.cursor, count, options })
      assert.equal(status, 200, JSON.stringify(body))
      takeOver(body, copy, seen)
      reading.cursor = body.next_cursor
      if (!body.has_more) return { ...seen, status: body.transactions_update_status }
    }
  }

  async function verb<Body>({ transaction_id }: Pick<Row, 'transaction_id'>, name: string, body: object = {}) {
    const answer = await simulator.control<Body>(`purchases/${transaction_id}/${name}`, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  async function fault({ transaction_id }: Pick<Row, 'transaction_id'>, name: string, body: object = {}) {
    const answer = await simulator.control(`purchases/${transaction_id}/${name}`, body)
    assert.ok(answer.status >= 400 && answer.status < 500)
    return answer.body
  }

  /** Performs an action on the item through the control interface. */
  async function toItem<Body>(name: string, body: object = {}): Promise<Body> {
    const answer = await simulator.control<Body>(`items/${item.item_id}/${name}`, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }

  async function restart() {
    await simulator.close()
    return follow(t, await openSimulator(t, reading.options), item, reading)
  }

  return {
    simulator,
    item,
    copy,
    call,
    read,
    verb,
    fault,
    toItem,
    restart,
    control: simulator.control,
    buy: (purchase: object = {}) => buy(simulator, { item_id: item.item_id, ...purchase }),
    ids: () => [...copy.keys()].sort(),
    cursor: () => reading.cursor,
    /** Discards the client's cursor and rows. */
    startAnew: () => {
      reading.cursor = ''
      copy.clear()
    },
    useToken: (token: string) => {
      accessToken = token
    },
  }
}
