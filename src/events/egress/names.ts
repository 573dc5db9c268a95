import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/**
 * Resolves the names of receivers. The system's lookup runs on four threads shared by the entire process, so four names
 * with an unresponsive name server would block everything else. This lookup only waits on sockets.
 */
export type NameLookup = {
  /**
   * Never returns an empty list.
   * @throws NameNotResolved
   */
  resolve(name: string): Promise<readonly LookupAddress[]>
}

/** Gives no reason, because the reason could reveal names and addresses inside our network. */
export class NameNotResolved extends Error {
  readonly code = 'ENOTFOUND'
}

// Well within the deadline of a call. Each name server gets a second to answer, because there may be others to try.
const TIMEOUT_MS = 2_500
const SERVER_TIMEOUT_MS = 1_000
const SERVER_TRIES = 2
// Long enough for a burst of calls to share one query, and short enough to notice a receiver that moves.
const KEPT_MS = 30_000
const FAILED_KEPT_MS = 5_000
const NAMES_MAX = 2_000
const HOSTS_FILE = '/etc/hosts'

/** @param servers name servers to use instead of the system's, for tests */
export function createNames(servers?: readonly string[]): NameLookup {
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: SERVER_TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const kept = new Map<string, Promise<readonly LookupAddress[]>>()

  const keepFor = (ms: number, name: string, answer: Promise<unknown>): void => {
    const timer = setTimeout(() => {
      if (kept.get(name) === answer) kept.delete(name)
    }, ms)
    timer.unref()
  }

  return {
    resolve: (name) => {
      const known = kept.get(name)
      if (known !== undefined) return known
      const answer = lookUp(resolver, name)
      kept.set(name, answer)
      for (const oldest of kept.keys()) {
        if (kept.size <= NAMES_MAX) break
        kept.delete(oldest)
      }
      answer.then(
        () => keepFor(KEPT_MS, name, answer),
        () => keepFor(FAILED_KEPT_MS, name, answer),
      )
      return answer
    },
  }
}

async function lookUp(resolver: Resolver, name: string): Promise<readonly LookupAddress[]> {
  const local = await fromHostsFile(name)
  if (local.length > 0) return local
  const found = await Promise.all([
    resolveAddresses(4, resolver.resolve4(name)),
    resolveAddresses(6, resolver.resolve6(name)),
  ])
  if (found.flat().length === 0) throw new NameNotResolved()
  return found.flat()
}

/**
 * Returns no addresses if the answer is an error or arrives too late, because the other address family may have some.
 */
async function resolveAddresses(family: number, answer: Promise<string[]>): Promise<LookupAddress[]> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<string[]>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, [])
  })
  const addresses = await Promise.race([answer.catch(() => []), tooLate])
  clearTimeout(timer)
  return addresses.map((address) => ({ address, family }))
}

/** Looks up a name in the hosts file, which the resolver ignores. */
async function fromHostsFile(name: string): Promise<LookupAddress[]> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some((one) => one.toLowerCase() === name.toLowerCase()) ? [{ address, family }] : []
  })
}
