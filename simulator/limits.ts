/**
 * Counts calls to the provider and enforces its rate limits. Calls are counted by path and, over the last minute, by
 * item and client. The limits are those of the provider's production environment and are off by default. Like the
 * provider's, they use real time, not simulated time.
 */
export type Limits = {
  /** Counts a call and returns true if it is within the limits. */
  admits(call: LimitedCall): boolean
  set(setting: LimitSetting): void
  status(): CallCounts & LimitSetting
  /** Resets the counts, but not the limits or the usage counted toward them. */
  forget(): void
}

type LimitedCall = { readonly path: string; readonly clientId: string; readonly itemId: string | null }
type LimitSetting = { readonly enforced: boolean; readonly scale: number }
type CallCounts = {
  readonly calls: Readonly<Record<string, number>>
  readonly refused: Readonly<Record<string, number>>
  /** The peak number of calls per minute for a single item and for a single client, including rejected calls. */
  readonly most_per_minute: Readonly<Record<string, { readonly item: number; readonly client: number }>>
}

type Limit = { readonly perItem: number; readonly perClient: number; readonly code: string }

/** Calls per minute. Paths not listed have no known limit. */
const LIMITS: ReadonlyMap<string, Limit> = new Map([
  ['/accounts/get', { perItem: 15, perClient: 15_000, code: 'ACCOUNTS_LIMIT' }],
  ['/accounts/balance/get', { perItem: 5, perClient: 1_200, code: 'BALANCE_LIMIT' }],
  ['/item/get', { perItem: 15, perClient: 5_000, code: 'ITEM_GET_LIMIT' }],
  ['/item/remove', { perItem: 30, perClient: 2_000, code: 'RATE_LIMIT' }],
  ['/institutions/get_by_id', { perItem: Infinity, perClient: 400, code: 'INSTITUTIONS_GET_BY_ID_LIMIT' }],
  ['/transactions/sync', { perItem: 50, perClient: 2_500, code: 'TRANSACTIONS_SYNC_LIMIT' }],
  ['/transactions/refresh', { perItem: 2, perClient: 100, code: 'TRANSACTIONS_REFRESH_LIMIT' }],
  ['/sandbox/transactions/create', { perItem: 2, perClient: 50, code: 'RATE_LIMIT' }],
])

const MINUTE_MS = 60_000

/** Returns the error code for a path that was called too often. */
export function getLimitCode(path: string): string {
  return LIMITS.get(path)?.code ?? 'RATE_LIMIT'
}

export function openLimits(now: () => number = Date.now): Limits {
  let setting: LimitSetting = { enforced: false, scale: 1 }
  let counts = noCounts()
  const meters = { item: new Map<string, Meter>(), client: new Map<string, Meter>() }
  let sweptAt = now()

  function admits({ path, clientId, itemId }: LimitedCall): boolean {
    const at = now()
    if (at - sweptAt > MINUTE_MS) {
      for (const kind of [meters.item, meters.client]) sweep(kind, at)
      sweptAt = at
    }
    const most = counts.most.get(path) ?? { item: 0, client: 0 }
    const client = getMeter(meters.client, `${path} ${clientId}`)
    most.client = Math.max(most.client, client.ask(at))
    const item = itemId === null ? null : getMeter(meters.item, `${path} ${itemId}`)
    if (item !== null) most.item = Math.max(most.item, item.ask(at))
    counts.most.set(path, most)
    add(counts.calls, path)

    const { perItem, perClient } = LIMITS.get(path) ?? { perItem: Infinity, perClient: Infinity }
    const fits = (meter: Meter, limit: number) => meter.granted(at) < Math.max(1, Math.floor(limit * setting.scale))
    const admitted = !setting.enforced || (fits(client, perClient) && (item === null || fits(item, perItem)))
    if (!admitted) add(counts.refused, path)
    else for (const meter of [client, item]) meter?.grant()
    return admitted
  }

  return {
    admits,
    set: (wanted) => {
      setting = wanted
    },
    status: () => ({
      ...setting,
      calls: Object.fromEntries(counts.calls),
      refused: Object.fromEntries(counts.refused),
      most_per_minute: Object.fromEntries(counts.most),
    }),
    forget: () => {
      counts = noCounts()
    },
  }
}

function noCounts() {
  return {
    calls: new Map<string, number>(),
    refused: new Map<string, number>(),
    most: new Map<string, { item: number; client: number }>(),
  }
}

/** Counts the calls of the last minute in one-second buckets, so that memory does not grow with the number of calls. */
type Meter = {
  /** Counts a request and returns the total for the last minute. */
  ask(at: number): number
  /** Marks the most recent request as granted. */
  grant(): void
  granted(at: number): number
  isIdle(at: number): boolean
}

type Second = { readonly at: number; asked: number; granted: number }

function openMeter(): Meter {
  let seconds: Second[] = []
  const forgetOld = (at: number) => {
    const [oldest] = seconds
    if (oldest !== undefined && oldest.at <= at - MINUTE_MS) seconds = seconds.filter((one) => one.at > at - MINUTE_MS)
  }
  const sum = (what: 'asked' | 'granted') => seconds.reduce((total, second) => total + second[what], 0)
  return {
    ask: (at) => {
      forgetOld(at)
      const second = Math.floor(at / 1000) * 1000
      if (seconds.at(-1)?.at !== second) seconds.push({ at: second, asked: 0, granted: 0 })
      const last = seconds.at(-1)
      if (last !== undefined) last.asked++
      return sum('asked')
    },
    grant: () => {
      const last = seconds.at(-1)
      if (last !== undefined) last.granted++
    },
    granted: (at) => {
      forgetOld(at)
      return sum('granted')
    },
    isIdle: (at) => {
      forgetOld(at)
      return seconds.length === 0
    },
  }
}

function getMeter(meters: Map<string, Meter>, key: string): Meter {
  const known = meters.get(key)
  if (known !== undefined) return known
  const meter = openMeter()
  meters.set(key, meter)
  return meter
}

/** Drops the meters that have been idle for a minute. */
function sweep(meters: Map<string, Meter>, at: number): void {
  for (const [key, meter] of meters) if (meter.isIdle(at)) meters.delete(key)
}

function add(counts: Map<string, number>, path: string): void {
  counts.set(path, (counts.get(path) ?? 0) + 1)
}
