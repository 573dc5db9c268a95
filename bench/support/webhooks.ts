import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { type Serving, serve } from './processes.ts'

/**
 * The webhooks that a receiver waits for: `count` in all, timed from the arrival of number `after`. They are stored in
 * the file `keepIn`, if set.
 */
export type Wanted = { readonly count: number; readonly after: number; readonly keepIn: string | null }
export type Arrivals = { readonly seconds: number }

/** A received webhook, stored as one line of the file. */
export type ReceivedWebhook = { readonly headers: Record<string, string>; readonly body: string; readonly atMs: number }

const GIVE_UP_MS = 600_000
const TRIES = 20
const TRY_AGAIN_MS = 500

export function startReceiver(): Promise<Serving> {
  return serve('webhook-receiver.ts', [])
}

/** Resolves once all webhooks have arrived. `begin` starts their sender. */
export async function waitForArrivals(
  receiver: Serving,
  wanted: Wanted,
  begin: () => Promise<unknown> | boolean,
): Promise<Arrivals> {
  receiver.child.send(wanted)
  const reported = once(receiver.child, 'message', { signal: AbortSignal.timeout(GIVE_UP_MS) })
  await begin()
  const [arrivals] = (await reported) as [Arrivals]
  return arrivals
}

export async function readReceived(file: string): Promise<ReceivedWebhook[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** Starts a poster that has already loaded its webhooks and posts them on request. */
export function startPoster(receiver: Serving, file: string, connections: number): Promise<Serving> {
  return serve('webhook-poster.ts', [receiver.url, file, String(connections)])
}

/** Registers an endpoint through the API, as publishers do. */
export async function registerEndpoint(env: NodeJS.ProcessEnv, apiKey: string, url: string): Promise<void> {
  const api = await serve('service.ts', [], { ...env, LAUREL_ROLE: 'api', PORT: '0' })
  try {
    // A process that has just started might be too busy to answer.
    for (let tries = 1; ; tries++) {
      const answer = await request(`${api.url}/webhooks/endpoints`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: JSON.stringify({ url }),
      })
      await answer.body.dump()
      if (answer.statusCode === 200) return
      if (answer.statusCode !== 503 || tries === TRIES)
        throw new Error(`registering the endpoint answered ${answer.statusCode}`)
      await wait(TRY_AGAIN_MS)
    }
  } finally {
    await api.stop()
  }
}
