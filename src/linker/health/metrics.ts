import { Counter, Gauge } from 'prom-client'
import type { Reader } from '../../platform/database.ts'
import { registry } from '../../platform/metrics.ts'
import { countOrphans } from '../feed/orphan-queries.ts'
import { countByState, findBacklog } from './queries.ts'

const feeds = new Counter({
  name: 'laurel_linker_feeds_read_total',
  help: 'Updates of feeds that were read and stored, empty ones included.',
  registers: [registry],
})
const faults = new Counter({
  name: 'laurel_linker_faults_total',
  help: 'Readings and checks of items that failed, by the code they failed with.',
  labelNames: ['code'],
  registers: [registry],
})
const due = new Gauge({
  name: 'laurel_linker_items_due',
  help: 'Items that are to be read now, those under way included.',
  registers: [registry],
})
const overdue = new Gauge({
  name: 'laurel_linker_most_overdue_seconds',
  help: 'For how long the item that waits longest to be read has been due.',
  registers: [registry],
})
const broken = new Gauge({
  name: 'laurel_linker_links_in_error',
  help: 'Linked logins that do not work, by what is shown on their cards.',
  labelNames: ['error'],
  registers: [registry],
})
const faulty = new Gauge({
  name: 'laurel_linker_items_at_fault',
  help: 'Items whose last reading failed, by the code it failed with.',
  labelNames: ['code'],
  registers: [registry],
})

const orphans = new Gauge({
  name: 'laurel_linker_orphan_refunds',
  help: 'Refunds that have found no purchase and wait for an operator.',
  registers: [registry],
})

export function countFeedRead(): void {
  feeds.inc()
}

export function countFault(code: string): void {
  faults.inc({ code })
}

/** Shows how the items stand; a pass of a loop, with nothing left to do after it. */
export async function showItems(reader: Reader, now: Date): Promise<false> {
  const backlog = await findBacklog(reader, now)
  due.set(backlog.due)
  overdue.set(backlog.oldest === null ? 0 : (now.getTime() - backlog.oldest.getTime()) / 1000)
  orphans.set(await countOrphans(reader))
  broken.reset()
  faulty.reset()
  for (const { kind, name, count } of await countByState(reader))
    if (kind === 'error') broken.set({ error: name }, count)
    else faulty.set({ code: name }, count)
  return false
}
