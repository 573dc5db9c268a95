import { fileURLToPath } from 'node:url'
import { readBrands } from '../../cli/match/brands.ts'
import {
  type BrandFacts,
  type BrandIndex,
  buildBrandIndex,
  changeBrandIndex,
  type MerchantFacts,
  matchBrand,
} from '../../src/catalog/merchants/index.ts'
import { computeMedian } from '../support/rounds.ts'
import { fillUp, readKnownBrands } from './catalog.ts'
import { type Grade, gradeMatches } from './grade.ts'
import { collectBrandlessNames, foldText, type Labelled, readLabelled } from './rows.ts'

/** One measurement: labeled rows against their catalog, either as it is or filled up to the given number of brands. */
export type Task = {
  /** Null for our own catalog and descriptors. */
  readonly files: { readonly catalog: string; readonly rows: string } | null
  readonly brands: number | null
}

export type Measures = {
  readonly brands: number
  readonly grade: Grade
  readonly names: Readonly<Record<string, string>>
  readonly perSecond: number
  /** The baseline: folding a descriptor and looking up its words in a table, the least that any matcher must do. */
  readonly barePerSecond: number
  readonly p99Us: number
  readonly bareP99Us: number
  readonly buildSeconds: number
  /** The baseline: putting just the names into a table. */
  readonly bareBuildSeconds: number
  readonly changeUs: number
  readonly heapMb: number
  readonly bareHeapMb: number
}

const OWN_ROWS = fileURLToPath(new URL('descriptors.jsonl', import.meta.url))
const PASSES = 5
const STRINGS = 20_000
const CHANGES = 101

// The heap figures are accurate only in a process that does nothing else, so this program runs as a separate process,
// with access to the garbage collector. Only the first index is measured, because a service builds its index once,
// before anything is warm.
const task = JSON.parse(process.argv[2] ?? '') as Task
process.send?.(await measure(task))

async function measure({ files, brands: count }: Task): Promise<Measures> {
  const { brands, rows } = await prepare(files, count)
  const bareHeapMb = heapMb()
  const { value: index, seconds: buildSeconds } = timed(() => buildBrandIndex(brands))
  const heap = heapMb()
  const { value: names, seconds: bareBuildSeconds } = timed(
    () => new Map(brands.map(({ name }) => [foldText(name), name])),
  )
  const facts = variedFacts(rows)
  const bare = ({ merchantDescriptor = '' }: MerchantFacts): number => {
    let found = 0
    for (const word of foldText(merchantDescriptor).split(' ')) if (names.has(word)) found++
    return found
  }
  const match = (merchant: MerchantFacts): unknown => matchBrand(index, merchant)
  const grade = gradeMatches(index, rows)
  return {
    brands: brands.length,
    grade,
    names: namesIn(grade, brands),
    perSecond: measurePerSecond(match, facts),
    barePerSecond: measurePerSecond(bare, facts),
    p99Us: measureP99(match, facts),
    bareP99Us: measureP99(bare, facts),
    buildSeconds,
    bareBuildSeconds,
    changeUs: measureChangeUs(index, brands),
    heapMb: heap,
    bareHeapMb,
  }
}

type Prepared = { readonly brands: readonly BrandFacts[]; readonly rows: readonly Labelled[] }

/**
 * Reads the input in a separate function, so that nothing from the package is still referenced when the heap is
 * measured.
 */
async function prepare(files: Task['files'], count: number | null): Promise<Prepared> {
  const known = await readKnownBrands()
  const given = files === null ? known.here : await readBrands(files.catalog)
  const rows = await readLabelled(files?.rows ?? OWN_ROWS, given)
  return { brands: fillUp(given, known.elsewhere, count ?? given.length, collectBrandlessNames(rows)), rows }
}

/**
 * Repeats the rows with different digits, often enough to fill a cache. In real statements, shops recur but numbers do
 * not.
 */
function variedFacts(rows: readonly Labelled[]): MerchantFacts[] {
  return Array.from({ length: STRINGS }, (_, at) => {
    const facts = rows[at % rows.length]?.facts ?? {}
    const round = Math.floor(at / rows.length)
    const merchantDescriptor = facts.merchantDescriptor?.replaceAll(/\d{3,}/g, (digits) =>
      String(Number(digits) + round * 7)
        .padStart(digits.length, '0')
        .slice(-digits.length),
    )
    return { ...facts, merchantDescriptor }
  })
}

/** Measures CPU seconds, so that other load on the machine does not count. */
function timed<T>(work: () => T): { readonly value: T; readonly seconds: number } {
  const began = process.threadCpuUsage()
  const value = work()
  const { user, system } = process.threadCpuUsage(began)
  return { value, seconds: (user + system) / 1e6 }
}

/** Returns the calls per second of the median pass. The first pass is a warm-up. */
function measurePerSecond(work: (facts: MerchantFacts) => unknown, facts: readonly MerchantFacts[]): number {
  const passes = Array.from({ length: PASSES + 1 }, () => timed(() => facts.forEach(work)).seconds)
  return facts.length / computeMedian(passes.slice(1))
}

function measureP99(work: (facts: MerchantFacts) => unknown, facts: readonly MerchantFacts[]): number {
  const passes = Array.from({ length: PASSES }, () => {
    const sorted = facts.map((one) => measureMicroseconds(() => work(one))).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  })
  return computeMedian(passes)
}

/** Uses the wall clock, because a single call is shorter than the resolution of CPU time. */
function measureMicroseconds(work: () => unknown): number {
  const beganMs = performance.now()
  work()
  return (performance.now() - beganMs) * 1000
}

/** Adds an alias to one brand at a time, sampled across the entire catalog, and returns the median time. */
function measureChangeUs(index: BrandIndex, brands: readonly BrandFacts[]): number {
  const took = Array.from({ length: CHANGES }, (_, number) => {
    const brand = brands[Math.floor((number * brands.length) / CHANGES)]
    if (brand === undefined) return Number.NaN
    const changed = { ...brand, aliases: [...brand.aliases, `Formerly ${number} and Sons`] }
    return measureMicroseconds(() => changeBrandIndex(index, [changed], []))
  })
  return computeMedian(took)
}

function heapMb(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

function namesIn({ misses }: Grade, brands: readonly BrandFacts[]): Record<string, string> {
  const uids = new Set(misses.flatMap(({ wanted, found }) => [wanted, found]))
  return Object.fromEntries(brands.flatMap(({ brandUid, name }) => (uids.has(brandUid) ? [[brandUid, name]] : [])))
}
