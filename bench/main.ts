import { parseArgs } from 'node:util'
import { brandsPage } from './brands-page.ts'
import { brandsScale } from './brands-scale.ts'
import { catalogImport } from './catalog-import.ts'
import { exporting } from './export.ts'
import { intake } from './intake.ts'
import { isMet, type Line, type Reading } from './line.ts'
import { matching } from './matching.ts'
import { maturing } from './maturing.ts'
import { openPurchases } from './open-purchases.ts'
import { pages } from './pages.ts'
import { jsonOf, tableOf, writeResults } from './report.ts'
import { safetyPoll } from './safety-poll.ts'
import { start } from './start.ts'
import { storage } from './storage.ts'
import { openGround } from './support/ground.ts'
import { factsOfMachine } from './support/machine.ts'
import { webhooks } from './webhooks.ts'

/**
 * `npm run bench`: each line with its limit. `--only NAME` picks lines, `--json` prints one object for each reading.
 */
const LINES: readonly Line[] = [
  intake,
  brandsPage,
  brandsScale,
  catalogImport,
  exporting,
  matching,
  maturing,
  openPurchases,
  pages,
  safetyPoll,
  start,
  storage,
  webhooks,
]
const NAMES = LINES.map((line) => line.name).join(', ')

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string', multiple: true, default: [] } },
})
const unknown = values.only.find((name) => !LINES.some((line) => line.name === name))
if (unknown === undefined) {
  await main()
} else {
  console.error(`There is no line ${unknown}; --only takes ${NAMES}.`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const picked = LINES.filter((line) => values.only.length === 0 || values.only.includes(line.name))
  const ground = await openGround((message) => console.error(message))
  // The server outlives a process that is interrupted, and its database a gigabyte.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void ground.close().finally(() => process.exit(1)))
  }
  const measured = new Map<Line, Reading[]>()
  try {
    for (const line of picked) {
      const readings = await line.measure(ground)
      measured.set(line, readings)
      if (values.json) for (const reading of readings) console.log(jsonOf(reading))
    }
  } finally {
    await ground.close()
  }
  const readings = [...measured.values()].flat()
  if (!values.json) console.log(tableOf(readings))
  const today = new Date().toISOString().slice(0, 10)
  if (!(await writeResults(LINES, measured, factsOfMachine(ground.serverVersion), today)))
    console.error('Not kept: the last results are of another machine, so all lines have to be measured here.')
  if (!readings.every(isMet)) console.error('Not every goal was met.')
}
