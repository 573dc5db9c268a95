import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  DryRunStatus,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner'
import { load, standIn, testFiles } from './load.ts'
import { activate, deactivate, namespace } from './namespace.ts'
import { type Outcome, playTests } from './tests.ts'
import type { ThreadInput } from './thread.ts'

/**
 * Lets Stryker run the pure tests of rules without a process per mutant: files are loaded once, their tests are
 * collected instead of started, and only tests that reach a mutant run for it. A mutant that takes effect during
 * loading needs a separate thread, which loads the files again.
 */
export const strykerPlugins = [{ kind: 'TestRunner', name: 'rules', factory: () => createRunner() }]

function createRunner(): TestRunner {
  const timesMs = new Map<string, number>()
  const testsByFile = new Map<string, readonly string[]>()
  return {
    capabilities: () => ({ reloadEnvironment: true }),
    init: async () => {
      standIn()
      for (const file of await testFiles()) testsByFile.set(file, await load(file))
    },
    dryRun: async () => {
      const outcomes = await playTests({
        before: (id) => {
          namespace.currentTestId = id
        },
      })
      namespace.currentTestId = undefined
      for (const { id, timeMs } of outcomes) timesMs.set(id, timeMs)
      const { mutantCoverage } = namespace
      const tests = outcomes.map(asTestResult)
      return { status: DryRunStatus.Complete, tests, ...(mutantCoverage === undefined ? {} : { mutantCoverage }) }
    },
    mutantRun: async ({ activeMutant: { id }, sandboxFileName, testFilter, hitLimit, mutantActivation }) => {
      if (mutantActivation === 'static') {
        const files = inOrder(sandboxFileName, testsByFile, timesMs)
        return toResult(await playedAnew({ mutantId: id, hitLimit, files }))
      }
      activate(id, hitLimit)
      try {
        return toResult(await playTests({ only: testFilter, timesMs, bail: true }))
      } finally {
        deactivate()
      }
    },
  }
}

function asTestResult({ id, timeMs, failure }: Outcome): TestResult {
  const played = { id, name: id, timeSpentMs: timeMs }
  return failure === null
    ? { ...played, status: TestStatus.Success }
    : { ...played, status: TestStatus.Failed, failureMessage: failure }
}

/** Orders test files: the mutated file's own tests first, then the others, quickest first. */
function inOrder(
  mutated: string,
  testsByFile: ReadonlyMap<string, readonly string[]>,
  timesMs: ReadonlyMap<string, number>,
): string[] {
  const name = basename(mutated, '.ts')
  const cost = ([file, tests]: readonly [string, readonly string[]]) =>
    basename(file).startsWith(name) ? 0 : tests.reduce((sum, test) => sum + (timesMs.get(test) ?? 0), 0)
  return [...testsByFile].sort((one, other) => cost(one) - cost(other)).map(([file]) => file)
}

async function playedAnew(input: ThreadInput): Promise<Outcome[]> {
  const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: input })
  return new Promise((resolve) => {
    worker.once('message', resolve)
    worker.once('error', (error) => resolve([{ id: 'the files are loaded', timeMs: 0, failure: String(error) }]))
  })
}

function toResult(outcomes: readonly Outcome[]): MutantRunResult {
  const nrOfTests = outcomes.length
  for (const { id, failure } of outcomes) {
    if (failure === null) continue
    if (failure.includes('Hit count limit reached')) return { status: MutantRunStatus.Timeout }
    return { status: MutantRunStatus.Killed, nrOfTests, killedBy: [id], failureMessage: failure }
  }
  return { status: MutantRunStatus.Survived, nrOfTests }
}
