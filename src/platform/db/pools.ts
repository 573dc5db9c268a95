import { type Database, openDatabase } from './database.ts'
import type { KindOfWork } from './kinds-of-work.ts'

/** A connection pool for each kind of work. Connections are opened on first use. */
export type Pools = Readonly<Record<KindOfWork, Database>>

type PoolSizes = { readonly calls: number; readonly reports: number; readonly background: number }

/** @param direct the address of the server itself if `url` points to a pooler */
export function openPools(url: string, sizes: PoolSizes, direct: string | null = null): Pools {
  const commands = openDatabase(direct ?? url, { work: 'commands' })
  // A listening connection runs no other statements, so one is enough for all pools.
  const { listen } = commands
  const open = (work: KindOfWork, size: { readonly connections?: number } = {}): Database => ({
    ...openDatabase(url, { work, isPooled: direct !== null, ...size }),
    listen,
  })
  return {
    calls: open('calls', { connections: sizes.calls }),
    searches: open('searches'),
    checks: open('checks'),
    health: open('health'),
    reports: open('reports', { connections: sizes.reports }),
    background: open('background', { connections: sizes.background }),
    webhooks: open('webhooks'),
    commands,
  }
}
