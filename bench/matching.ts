import type { Benchmark, Reading } from './benchmark.ts'
import { computePrecision, computeRecall } from './matching/grade.ts'
import { runMeasurement } from './matching/run.ts'

const BRANDS = 100_000

export const matching: Benchmark = {
  name: 'matching',
  about:
    'the brands of our own labeled descriptors (four in nine belong to no brand; the timings use 20,000, most with other digits), by CPU time of one core, in an index of 100,000 brands: those of name-suggestion-index, and for the rest invented small businesses. The limit folds each descriptor and looks up its words in a table of the bare names. `matching-p99`: single calls. `matching-build`: the first index of the process; the limit is that table. `matching-change`: the index with one brand changed; the limit is a new index. `matching-memory`: the heap with brands and index; the limit is the brands alone. `matching-precision` and `matching-recall`: of the brands matched without a review (a wrong one counts as both a false hit and a miss); the limit is the same rows in an index of only the brands found in the United States. `npm run bench:matching` prints more',
  measure: async (server) => {
    server.say('matching: in the brands met in the United States')
    const small = await runMeasurement({ files: null, brands: null })
    server.say('matching: in 100,000 brands')
    const large = await runMeasurement({ files: null, brands: BRANDS })
    return [...buildTimeReadings(large), ...buildGradeReadings(large.grade, small.grade)]
  },
}

function buildTimeReadings(large: Awaited<ReturnType<typeof runMeasurement>>): Reading[] {
  return [
    {
      name: 'matching',
      ours: large.perSecond,
      limit: large.barePerSecond,
      goal: { of: 'ours', bound: 'at least', value: 100_000 },
      unit: 'descriptors/s',
    },
    {
      name: 'matching-p99',
      ours: large.p99Us,
      limit: large.bareP99Us,
      goal: { of: 'ours', bound: 'at most', value: 100 },
      unit: 'µs',
    },
    {
      name: 'matching-build',
      ours: large.buildSeconds,
      limit: large.bareBuildSeconds,
      goal: { of: 'ours', bound: 'at most', value: 2 },
      unit: 's',
    },
    {
      name: 'matching-change',
      ours: large.changeUs,
      limit: large.buildSeconds * 1e6,
      goal: { of: 'ratio', bound: 'at most', value: 0.01 },
      unit: 'µs',
    },
    {
      name: 'matching-memory',
      ours: large.heapMb,
      limit: large.bareHeapMb,
      goal: { of: 'ours', bound: 'at most', value: 300 },
      unit: 'MB',
    },
  ]
}

type Grade = Awaited<ReturnType<typeof runMeasurement>>['grade']

function buildGradeReadings(large: Grade, small: Grade): Reading[] {
  const percent = (share: number): number => share * 100
  return [
    {
      name: 'matching-precision',
      ours: percent(computePrecision(large)),
      limit: percent(computePrecision(small)),
      goal: { of: 'ours', bound: 'at least', value: 99 },
      unit: '%',
    },
    {
      name: 'matching-recall',
      ours: percent(computeRecall(large)),
      limit: percent(computeRecall(small)),
      goal: { of: 'ours', bound: 'at least', value: 93 },
      unit: '%',
    },
  ]
}
