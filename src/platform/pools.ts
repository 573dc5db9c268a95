import { type Database, openDatabase } from './database.ts'
import type { KindOfWork } from './kinds-of-work.ts'

/** A pool of connections for each kind of work. They are opened when they are first needed. */
export type Pools = Readonly<Record<KindOfWork, Database>>

export type PoolSizes = { readonly calls: number; readonly reports: number; readonly background: number }

export function openPools(url: string, sizes: PoolSizes): Pools {
  const commands = openDatabase(url, { work: 'commands' })
  // A listening connection serves no other statements, so one is enough for all pools.
  const { listen } = commands
  return {
    calls: { ...openDatabase(url, { work: 'calls', connections: sizes.calls }), listen },
    checks: { ...openDatabase(url, { work: 'checks' }), listen },
    reports: { ...openDatabase(url, { work: 'reports', connections: sizes.reports }), listen },
    background: { ...openDatabase(url, { work: 'background', connections: sizes.background }), listen },
    webhooks: { ...openDatabase(url, { work: 'webhooks' }), listen },
    commands,
  }
}
