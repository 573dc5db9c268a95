import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { PlaidApi } from 'plaid'
import { systemClock } from '../../../platform/clock.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import { refuseForeignTokens } from '../environments.ts'
import { toFault } from './faults.ts'

export type Access = {
  /** The provider's environment. The simulator is a sandbox. */
  readonly environment: Environment
  /** The URL of the provider or the simulator, without a trailing slash. Both use the same adapter. */
  readonly address: string
  readonly clientId: string
  readonly secret: string
}

export type CallOptions = {
  readonly signal: AbortSignal
  readonly httpAgent?: HttpAgent
  readonly httpsAgent?: HttpsAgent
}

const SOCKET_TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 32 * 1024 * 1024
// Sockets are reused, because there may be thousands of calls a minute, but closed before the provider closes them.
const KEPT = { keepAlive: true, maxFreeSockets: 32, timeout: 20_000 }

/** Opens the provider's official SDK on our own HTTP client. Loaded on first use, because it takes 40 MB and 250 ms. */
export async function openApi({ environment, address, clientId, secret }: Access): Promise<PlaidApi> {
  const [{ Configuration, PlaidApi }, { default: axios }] = await Promise.all([import('plaid'), import('axios')])
  const instance = axios.create({
    timeout: SOCKET_TIMEOUT_MS,
    maxContentLength: ANSWER_BYTES_MAX,
    maxRedirects: 0,
    httpAgent: new HttpAgent(KEPT),
    httpsAgent: new HttpsAgent(KEPT),
    // Otherwise a proxy set in the environment would also receive calls to this machine.
    ...(isLoopback(address) ? { proxy: false as const } : {}),
  })
  instance.interceptors.request.use((request) => {
    refuseForeignTokens(environment, toOperation({ config: request }, address), String(request.data))
    return request
  })
  // The HTTP client's errors carry the entire request, including secrets and tokens, so none of them leaves this
  // instance.
  instance.interceptors.response.use(undefined, (error: unknown) => {
    throw toFault(error, toOperation(error, address), systemClock.now())
  })
  const headers = { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret }
  // The SDK is typed against the CommonJS declarations of the same axios.
  const client = instance as unknown as ConstructorParameters<typeof PlaidApi>[2]
  return new PlaidApi(new Configuration({ basePath: address, baseOptions: { headers } }), undefined, client)
}

/**
 * Returns a fresh socket for a call that must not be repeated, because the provider may close a reused one just as the
 * call is made.
 */
export function createFreshSocket(): Omit<CallOptions, 'signal'> {
  return { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() }
}

/** Returns true if a provider at one address can send webhooks to another. Over the internet, it requires https. */
export function canReach(provider: string, address: string): boolean {
  return isLoopback(provider) || address.startsWith('https://')
}

function isLoopback(address: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)
}

function toOperation(error: unknown, address: string): string {
  const url = (error as { config?: { url?: unknown } }).config?.url
  return typeof url === 'string' && url.startsWith(`${address}/`) ? url.slice(address.length + 1) : 'call'
}
