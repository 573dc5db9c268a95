import { type Serving, serve } from './processes.ts'

export type Client = { readonly clientId: string; readonly secret: string }

export type Polled = {
  readonly databaseUrl: string
  readonly simulatorUrl: string
  readonly masterKey: string
  readonly client: Client
  /** The base URL for the items' webhooks. */
  readonly baseUrl: string
  readonly syncsPerMinute: number
}

/** Starts a worker configured to poll the real provider, but with the simulator in the provider's place. */
export function startPolling(polled: Polled): Promise<Serving> {
  return serve('service.ts', [], {
    DATABASE_URL: polled.databaseUrl,
    LAUREL_ROLE: 'worker',
    LAUREL_MASTER_KEY: polled.masterKey,
    LAUREL_BASE_URL: polled.baseUrl,
    LAUREL_LINKER: 'plaid',
    LAUREL_LINKER_URL: polled.simulatorUrl,
    LAUREL_LINKER_SYNCS_PER_MINUTE: String(polled.syncsPerMinute),
    LAUREL_PLAID_CLIENT_ID: polled.client.clientId,
    LAUREL_PLAID_SECRET: polled.client.secret,
  })
}

const EVERY_MS = 200

type MemoryWatch = {
  /** Returns the peak memory since the previous call. */
  peakBytes(): number
  stop(): void
}

/** Tracks the memory of a benchmark process. */
export function watchMemory({ child }: Serving): MemoryWatch {
  const seen: number[] = []
  child.on('message', (bytes) => void seen.push(Number(bytes)))
  const timer = setInterval(() => void child.send('memory'), EVERY_MS)
  return {
    peakBytes: () => Math.max(...seen.splice(0)),
    stop: () => clearInterval(timer),
  }
}
