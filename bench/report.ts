import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Benchmark, computeRatio, isMet, type Reading } from './benchmark.ts'

const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url))

/** Formats a reading as one line of JSON, for programs. */
export function formatJson(reading: Reading): string {
  const { name, ours, limit, goal, unit } = reading
  return JSON.stringify({
    name,
    ours: rounded(ours),
    limit: rounded(limit),
    ratio: rounded(computeRatio(reading)),
    goal: goal.value,
    unit,
    met: isMet(reading),
  })
}

const HEADINGS = ['benchmark', 'ours', 'limit', 'ratio', 'goal', 'met']

/** Formats readings as a table, for people at a terminal. */
export function formatTable(readings: readonly Reading[]): string {
  const rows = [HEADINGS, ...readings.map(toCells)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

type Measured = ReadonlyMap<Benchmark, readonly Reading[]>

/**
 * Saves the new readings and keeps the last results of the benchmarks that were not run. Results from another machine
 * are not comparable, so only a run of all benchmarks replaces them. Returns true if the readings were saved.
 */
export async function writeResults(
  benchmarks: readonly Benchmark[],
  measured: Measured,
  facts: Readonly<Record<string, string>>,
  date: string,
): Promise<boolean> {
  const kept = await readFile(RESULTS, 'utf8')
  const isWhole = benchmarks.every((benchmark) => measured.has(benchmark))
  const machine = Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`)
  if (!isWhole && !kept.includes(machine.join('\n'))) return false
  const getRows = (benchmark: Benchmark): string[] =>
    measured.get(benchmark)?.map((reading) => formatRow([...toCells(reading), date])) ?? keptRows(kept, benchmark)
  const headings = [...HEADINGS, 'date']
  const text = [
    '# Benchmark results',
    '',
    'Written by `npm run bench`, which measures each benchmark and its limit in turn within one run and takes medians.',
    'Compare the ratios; the absolute numbers are those of one machine.',
    '',
    ...machine,
    '',
    formatRow(headings),
    formatRow(headings.map(() => '---')),
    ...benchmarks.flatMap(getRows),
    '',
    ...benchmarks.map((benchmark) => `- **${benchmark.name}**: ${benchmark.about}.`),
    '',
  ]
  await writeFile(RESULTS, text.join('\n'))
  return true
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Finds a benchmark's rows by name, because all of its readings are named after it. */
function keptRows(kept: string, { name }: Benchmark): string[] {
  return kept.split('\n').filter((row) => row.startsWith(`| ${name} `) || row.startsWith(`| ${name}-`))
}

function toCells(reading: Reading): string[] {
  const { name, ours, limit, goal, unit } = reading
  const sign = goal.bound === 'at least' ? '≥' : '≤'
  const held = goal.of === 'ratio' ? `ratio ${sign} ${goal.value}` : `${sign} ${goal.value} ${unit}`
  const amount = (value: number): string => `${rounded(value).toLocaleString('en-US')} ${unit}`
  return [
    name,
    amount(ours),
    amount(limit),
    rounded(computeRatio(reading)).toFixed(2),
    held,
    isMet(reading) ? 'yes' : 'no',
  ]
}

/**
 * Rounds to three significant digits, or to a whole number if it is 100 or more, because the measurements are no more
 * accurate than that.
 */
function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}
