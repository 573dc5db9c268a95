import { Pool } from 'undici'
import type { Client } from './polled.ts'
import type { SimulatedItem } from './simulated-items.ts'

/** Requests each item's feed once and discards the response. */
export async function pollBare(
  simulator: string,
  items: readonly SimulatedItem[],
  { clientId, secret }: Client,
  atOnce: number,
): Promise<void> {
  const pool = new Pool(simulator, { connections: atOnce })
  const headers = { 'content-type': 'application/json', 'plaid-client-id': clientId, 'plaid-secret': secret }
  const call = async (path: string, body: object): Promise<void> => {
    const answer = await pool.request({ path, method: 'POST', headers, body: JSON.stringify(body) })
    await answer.body.json()
  }
  const waiting = items.values()
  const caller = async (): Promise<void> => {
    for (const { accessToken: access_token, cursor } of waiting) {
      await call('/transactions/sync', { access_token, ...(cursor === null ? {} : { cursor }), count: 500 })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  await pool.close()
}
