import { type Database, openDatabase } from './database.ts'
import type { KindOfWork } from './kinds-of-work.ts'

/** A pool of connections for each kind of work. Connections are opened when they are first needed. */
export type Pools = Readonly<Record<KindOfWork, Database>>

export type PoolSizes = { readonly calls: number; readonly reports: number; readonly background: number }

/** @param direct the address of the server itself, where url is that of a pooler. */
export function openPools(url: string, sizes: PoolSizes, direct: string | null = null): Pools {
  const commands = openDatabase(direct ?? url, { work: 'commands' })
  // A listening connection serves no other statements, so one is enough for all pools.
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
