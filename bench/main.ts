import { parseArgs } from 'node:util'
import { type Benchmark, isMet, type Reading } from './benchmark.ts'
import { brandsPage } from './brands-page.ts'
import { brandsScale } from './brands-scale.ts'
import { catalogImport } from './catalog-import.ts'
import { closing } from './closing.ts'
import { consoleReady } from './console-ready.ts'
import { exporting } from './export.ts'
import { fairness } from './fairness.ts'
import { intake } from './intake.ts'
import { matching } from './matching.ts'
import { maturing } from './maturing.ts'
import { openPurchases } from './open-purchases.ts'
import { operatorLists } from './operator-lists.ts'
import { pages } from './pages.ts'
import { redemptions } from './redemptions.ts'
import { formatJson, formatTable, writeResults } from './report.ts'
import { safetyPoll } from './safety-poll.ts'
import { start } from './start.ts'
import { storage } from './storage.ts'
import { startBenchServer } from './support/bench-server.ts'
import { describeMachine } from './support/machine.ts'
import { webhooks } from './webhooks.ts'

/**
 * `npm run bench` runs each benchmark against its limit. `--only NAME` picks benchmarks, and `--json` prints one object
 * per reading. `--size COUNT` runs `closing` with that many transactions or `operator-lists` with that many rows, and
 * does not save the results.
 */

const BENCHMARKS: readonly Benchmark[] = [
  intake,
  brandsPage,
  brandsScale,
  catalogImport,
  closing,
  consoleReady,
  exporting,
  fairness,
  matching,
  maturing,
  openPurchases,
  operatorLists,
  pages,
  redemptions,
  safetyPoll,
  start,
  storage,
  webhooks,
]
const NAMES = BENCHMARKS.map((benchmark) => benchmark.name).join(', ')

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    size: { type: 'string' },
  },
})
const unknown = values.only.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
if (unknown === undefined) {
  await main()
} else {
  console.error(`There is no benchmark ${unknown}; --only takes ${NAMES}.`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const picked = BENCHMARKS.filter((benchmark) => values.only.length === 0 || values.only.includes(benchmark.name))
  const server = await startBenchServer((message) => console.error(message))
  // Otherwise, an interrupted run would leave a running server and a gigabyte of data behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().finally(() => process.exit(1)))
  }
  const size = values.size === undefined ? null : Number(values.size)
  const measured = new Map<Benchmark, Reading[]>()
  try {
    for (const benchmark of picked) {
      const readings = await benchmark.measure(server, size)
      measured.set(benchmark, readings)
      if (values.json) for (const reading of readings) console.log(formatJson(reading))
    }
  } finally {
    await server.close()
  }
  const readings = [...measured.values()].flat()
  if (!values.json) console.log(formatTable(readings))
  if (size !== null) return
  const today = new Date().toISOString().slice(0, 10)
  if (!(await writeResults(BENCHMARKS, measured, describeMachine(server.version), today)))
    console.error('Not kept: the last results are of another machine, so all benchmarks have to be run here.')
  if (!readings.every(isMet)) console.error('Not every goal was met.')
}
