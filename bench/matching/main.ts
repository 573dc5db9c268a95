import { parseArgs } from 'node:util'
import { computeFalseRate, computePrecision, computeRecall } from './grade.ts'
import type { Measures, Task } from './measure.ts'
import { runMeasurement } from './run.ts'

/**
 * `npm run bench:matching` measures how well and how fast brands are found, for our own descriptors and for pairs of
 * files (`--catalog brands.jsonl --in descriptors.jsonl`, repeatable). `--misses` lists the errors, `--small` skips the
 * filled-up catalog, and `--json` prints one object per table row.
 */

const LARGE = 100_000

const { values } = parseArgs({
  options: {
    catalog: { type: 'string', multiple: true, default: [] },
    in: { type: 'string', multiple: true, default: [] },
    misses: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
async function main(): Promise<void> {
  const pairs = values.in.map((rows, at) => ({ catalog: values.catalog[at] ?? '', rows }))
  const measurements: [name: string, measures: Measures][] = []
  for (const files of [null, ...pairs]) {
    for (const brands of values.small ? [null] : [null, LARGE]) {
      const task: Task = { files, brands }
      const name = files === null ? 'our own' : (files.rows.split('/').at(-1) ?? '')
      console.error(`${name}: ${brands === null ? 'the catalog as it is' : `${LARGE.toLocaleString('en-US')} brands`}`)
      measurements.push([name, await runMeasurement(task)])
    }
  }
  if (values.json)
    for (const [rows, { names: _, ...measures }] of measurements) console.log(JSON.stringify({ rows, ...measures }))
  else console.log(formatTable(measurements.map(toCells)))
  if (values.misses) for (const measurement of measurements) printMisses(...measurement)
}

const HEADINGS = [
  ...['rows', 'brands', 'count', 'precision', 'recall', 'false hits', 'review', 'right in review'],
  ...['/s', 'p99 µs', 'build s', 'change µs', 'heap MB', 'without'],
]

function toCells([name, measures]: [name: string, measures: Measures]): string[] {
  const { grade } = measures
  return [
    name,
    grouped(measures.brands),
    grouped(grade.rows),
    percent(computePrecision(grade)),
    percent(computeRecall(grade)),
    `${grade.falseHits} of ${grade.brandless} (${percent(computeFalseRate(grade))})`,
    percent(grade.reviews / grade.rows),
    grade.reviews === 0 ? '-' : `${grade.rightProposals} of ${grade.reviews}`,
    grouped(Math.round(measures.perSecond)),
    measures.p99Us.toFixed(1),
    measures.buildSeconds.toFixed(2),
    grouped(Math.round(measures.changeUs)),
    measures.heapMb.toFixed(0),
    measures.bareHeapMb.toFixed(0),
  ]
}

function grouped(value: number): string {
  return value.toLocaleString('en-US')
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const all = [HEADINGS, ...rows]
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')
  return all.map(line).join('\n')
}

function printMisses(name: string, { brands, grade, names }: Measures): void {
  console.log(`\n${name}, ${grouped(brands)} brands`)
  const label = (uid: string | null): string => (uid === null ? 'none' : (names[uid] ?? uid))
  for (const { kind, id, descriptor, wanted, found, why } of grade.misses.toSorted((a, b) =>
    a.kind < b.kind ? -1 : 1,
  ))
    console.log(`${kind.padEnd(14)} ${id}  ${descriptor}  wanted ${label(wanted)}, found ${label(found)}  [${why}]`)
}

if (values.catalog.length === values.in.length) {
  await main()
} else {
  console.error('Each --in goes with its --catalog.')
  process.exitCode = 1
}
