import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/database.ts'
import { runFor, type WorkCaller } from '../../on-behalf.ts'
import { Refusal } from '../../refusal.ts'
import type { App } from '../app.ts'
import type { Door } from '../operation.ts'
import type { HttpRefusal } from '../problems.ts'
import { isSameOrigin } from '../same-origin.ts'
import { type Credential, openKeyCache, type Stranger } from './key-cache.ts'
import { findKeyFault, type KeyLimits } from './key-limits.ts'
import { createKeyUsage } from './key-usage.ts'
import { createRateLimiter, type RateLimit, type RateVerdict } from './rate-limit.ts'
import { countRequest, createStrangerCount, identifyStranger } from './strangers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts items of a batch against the key's rate limit. @throws Refusal rate_limited */
    takeItems: ((count: number) => void) | null
    /** The owner of the key, for the access log. */
    caller?: Readonly<Record<string, string>>
    /** The owner to charge for this request's database connections. */
    keyOwner: Pick<WorkCaller, 'owner' | 'member'> | null
  }
}

type KeyRate = {
  /**
   * The owner to charge for the request's database connections. All keys of a publisher share one owner. People who act
   * for the publisher are its members, so that none of them can delay the publisher's programs.
   */
  readonly owner: string
  readonly member?: string | null
  readonly bucket: string
  /** The noun that refusals use for these requests. */
  readonly requests: string
  readonly perSecond: number
  readonly itemsPerSecond: number
}
type Options<Owner> = {
  /** Every process clears its key cache when one of these topics is announced. */
  readonly topics: readonly string[]
  readonly find: (sha256: Buffer, actsFor: string | null) => Promise<Owner | null>
  readonly listLive: () => Promise<readonly Buffer[]>
  readonly realm: string
  /** Prefixes of keys that belong to another API, with the message for callers that send one here. */
  readonly keysOfOthers?: Readonly<Record<string, string>>
  /** The cookie that holds a session token, accepted in place of a key. */
  readonly cookie: string
  /** The header that identifies whom the caller acts for. Without it, the caller acts for the owner of the key. */
  readonly actsForHeader?: string
  readonly readKey: (owner: Owner) => {
    readonly keyId: string
    readonly limits: KeyLimits
    /** Ids of the key and its owner for the log. */
    readonly names: Readonly<Record<string, string>>
  }
  /** Records the day on which keys were last used. */
  readonly markUsed: (keyIds: readonly string[], day: Date) => Promise<unknown>
  /** Returns the bucket that a request draws from, and the numbers of requests and batch items allowed per second. */
  readonly pickRate: (owner: Owner, request: FastifyRequest) => KeyRate
  /** Returns the lines the request waits in (see lines.ts). */
  readonly listLines?: (request: FastifyRequest) => readonly string[]
  /** Checks the permissions of the key's owner, and stores the owner on the request. */
  readonly admit: (owner: Owner, request: FastifyRequest, reply: FastifyReply) => void
}

/**
 * Creates the door for operations that require a key or session. `listRefusals` returns the refusal codes of any
 * further checks.
 */
export function createKeyedDoor({ listRefusals, ...door }: Door): Door {
  const ofKeys: readonly HttpRefusal[] = [
    'key_missing',
    'key_invalid',
    'key_expired',
    'session_ended',
    'key_address_refused',
  ]
  const ofChanges: readonly HttpRefusal[] = ['origin_refused']
  return {
    ...door,
    listRefusals: (method, config) => [
      ...ofKeys,
      ...(method === 'GET' ? [] : ofChanges),
      ...listRefusals(method, config),
    ],
  }
}

/**
 * Requires a valid key or, in a browser, a session for every route registered on this app. Counts each request against
 * the key's rate limit and sets the RateLimit headers. Returns a function that clears this process's key cache.
 */
export async function authenticateKeys<Owner>(
  app: App,
  deps: { readonly db: Database; readonly clock: Clock; readonly strangerCallsPerSecond?: number },
  options: Options<Owner>,
): Promise<() => void> {
  const { realm, cookie, actsForHeader, readKey, pickRate, admit, keysOfOthers = {} } = options
  const keys = await openKeyCache(deps.db, options)
  const usage = createKeyUsage(options.markUsed)
  app.addHook('onClose', usage.flush)
  const limiter = createRateLimiter()
  const countStranger = createStrangerCount(deps.strangerCallsPerSecond)
  countAndShare(app, options.listLines)
  app.addHook('onRequest', (request, reply, done) => {
    const nowMs = deps.clock.now().getTime()
    const enter = (owner: Owner): void => {
      const { keyId, limits, names } = readKey(owner)
      request.caller = names
      const fault = findKeyFault(limits, request.ip, nowMs)
      // A caller whose key cannot be used here counts as a stranger and does not use up the key's rate limit.
      if (fault !== null) countStranger(request, reply, nowMs)
      refuse(fault)
      usage.note(keyId, nowMs)
      const { bucket, requests, perSecond, itemsPerSecond, owner: name, member = null } = pickRate(owner, request)
      request.keyOwner = { owner: name, member }
      const verdict = limiter.take(bucket, withBurst(perSecond), nowMs)
      countRequest(reply, verdict, describeLimit(requests, perSecond))
      if (request.routeOptions.config.batch !== undefined) {
        const take = (count: number) => limiter.take(`${bucket} items`, withBurst(itemsPerSecond), nowMs, count)
        const detail = describeLimit('batch items', itemsPerSecond)
        request.takeItems = (count) => countItems(reply, take(count), verdict, detail)
        // Counted before reading the body, which is the most expensive step.
        request.takeItems(1)
      }
      admit(owner, request, reply)
    }
    const presented = readCredential(request, cookie, actsForHeader)
    const cached = presented === null ? null : keys.recall(presented, nowMs)
    // Most keys are cached, so most requests need not wait.
    if (cached !== null) {
      enter(cached)
      return done()
    }
    const stranger = identifyStranger(request, () => countStranger(request, reply, nowMs))
    findOwner(presented, stranger, nowMs)
      .catch((error: unknown) => {
        if (error instanceof Refusal && ['key_missing', 'key_invalid'].includes(error.code))
          reply.header('WWW-Authenticate', `Bearer realm="${realm}"`)
        throw error
      })
      .then(enter)
      .then(() => done(), done)
  })
  return keys.clear

  /** @throws Refusal key_missing, key_invalid, session_ended, rate_limited */
  async function findOwner(presented: Presented | null, stranger: Stranger, nowMs: number): Promise<Owner> {
    if (presented === null) {
      stranger.count()
      throw new Refusal<HttpRefusal>('key_missing', 'Send the API key as Authorization: Bearer … or X-API-Key.')
    }
    const owner = await keys.find(presented, nowMs, stranger)
    if (owner === null) throw unknownCredential(presented, keysOfOthers)
    return owner
  }
}

function unknownCredential({ secret, isSession }: Presented, keysOfOthers: Readonly<Record<string, string>>): Refusal {
  if (isSession) return new Refusal<HttpRefusal>('session_ended', 'This session has ended. Sign in again.')
  // The prefix is public, so this does not reveal whether the key exists.
  const elsewhere = Object.entries(keysOfOthers).find(([prefix]) => secret.startsWith(prefix))
  return new Refusal<HttpRefusal>('key_invalid', elsewhere?.[1] ?? 'This API key is unknown or was revoked.')
}

/** Counts the items of a batch, and runs the request on behalf of the key's owner. */
function countAndShare(app: App, listLines: (request: FastifyRequest) => readonly string[] = () => []): void {
  app.decorateRequest('takeItems', null)
  app.decorateRequest('keyOwner', null)
  app.addHook('preValidation', (request, _reply, done) => {
    // The first item was counted before the body was read.
    const more = itemsIn(request) - 1
    if (more > 0) request.takeItems?.(more)
    // Must wait until the body has been read, because the stream's callbacks do not run in the request's context.
    if (request.keyOwner === null) done()
    else runFor({ ...request.keyOwner, lines: listLines(request) }, done)
  })
}

/** Counts the items in the lists of a batch. */
function itemsIn({ body, routeOptions }: FastifyRequest): number {
  const lists = (routeOptions.config.batch?.members ?? []).map((name) => (body as Record<string, unknown>)?.[name])
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

/** Counts batch items. The headers show whichever limit is closer to being reached. @throws Refusal rate_limited */
function countItems(reply: FastifyReply, ofItems: RateVerdict, ofRequests: RateVerdict, detail: string): void {
  const isNearer = !ofItems.allowed || ofItems.remaining < ofRequests.remaining
  countRequest(reply, isNearer ? ofItems : ofRequests, detail)
}

function describeLimit(what: string, perSecond: number): string {
  return `Too many ${what} with this key. The limit is ${perSecond} per second.`
}

function withBurst(perSecond: number): RateLimit {
  return { perSecond, burst: perSecond * 2 }
}

/** @throws Refusal key_expired, key_address_refused */
function refuse(fault: keyof typeof FAULTS | null): void {
  if (fault !== null) throw new Refusal<HttpRefusal>(fault, FAULTS[fault])
}

const FAULTS = {
  key_expired: 'This API key has expired.',
  key_address_refused: 'This API key cannot be used from this address.',
} as const

type Presented = Credential & { readonly isSession: boolean }

/**
 * Returns the key of a request or, failing that, the browser session. Browsers attach the session cookie to every
 * request, so a change must come from a page of this service.
 * @throws Refusal origin_refused
 */
function readCredential(request: FastifyRequest, cookie: string, header: string | undefined): Presented | null {
  const named = header === undefined ? undefined : request.headers[header.toLowerCase()]
  const actsFor = typeof named === 'string' ? named : null
  const key = presentedKey(request)
  if (key !== null) return { secret: key, actsFor, isSession: false }
  const token = request.cookies?.[cookie]
  if (token === undefined) return null
  if (!isRead(request) && !isSameOrigin(request)) {
    const detail = 'A browser session can make changes only from pages of this service.'
    throw new Refusal<HttpRefusal>('origin_refused', detail)
  }
  return { secret: token, actsFor, isSession: true }
}

/** Returns true for safe methods, which browsers may send from any page. */
export function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Returns the Bearer token or X-API-Key of a request if it could be a key. */
function presentedKey(request: FastifyRequest): string | null {
  const { authorization, 'x-api-key': header } = request.headers
  const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  const key = bearer ?? (typeof header === 'string' ? header.trim() : undefined)
  return key === undefined || key === '' || key.length > 255 ? null : key
}
