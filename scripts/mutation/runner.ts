import { glob } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { TestRunner } from '@stryker-mutator/api/test-runner'
import { type Outcome, playTests } from './tests.ts'

/**
 * Lets Stryker play the pure tests of rules without a process for each mutant: the files are loaded once, with their tests
 * taken down instead of begun, and for a mutant only those are played that reach it. What a mutant changes while the files
 * are loaded shows in a thread of its own alone, which loads them anew.
 */
const TESTS = [
  'src/matching/*.test.ts',
  'src/rewards/{rules,figures,bounds,amounts,parts-rules,periods,slots}.test.ts',
  'test/offers/*.test.ts',
]

const STAND_INS = new Map([
  ['node:test', new URL('tests.ts', import.meta.url).href],
  ['fast-check', new URL('properties.ts', import.meta.url).href],
])

export const strykerPlugins = [{ kind: 'TestRunner', name: 'rules', factory: () => createRunner() }]

// Stryker's enumerations are their own texts.
type DryRun = Awaited<ReturnType<TestRunner['dryRun']>>
type MutantRun = Awaited<ReturnType<TestRunner['mutantRun']>>

/** What the mutated files ask and count, under the name that Stryker gives it. */
type Namespace = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: unknown
}
const shared = globalThis as unknown as { __stryker__?: Namespace }

function createRunner(): TestRunner {
  shared.__stryker__ ??= {}
  const namespace = shared.__stryker__
  const timesMs = new Map<string, number>()
  return {
    capabilities: () => ({ reloadEnvironment: true }),
    init: loadTests,
    dryRun: async () => {
      const outcomes = await playTests({
        before: (id) => {
          namespace.currentTestId = id
        },
      })
      namespace.currentTestId = undefined
      for (const { id, timeMs } of outcomes) timesMs.set(id, timeMs)
      const tests = outcomes.map(({ id, timeMs, failure }) => ({
        id,
        name: id,
        timeSpentMs: timeMs,
        ...(failure === null ? { status: 0 } : { status: 1, failureMessage: failure }),
      }))
      return { status: 'complete', tests, mutantCoverage: namespace.mutantCoverage } as unknown as DryRun
    },
    mutantRun: async ({ activeMutant, testFilter, hitLimit, mutantActivation }) => {
      if (mutantActivation === 'static') return resultOf(await playedAnew(activeMutant.id, timesMs))
      Object.assign(namespace, { activeMutant: activeMutant.id, hitCount: hitLimit && 0, hitLimit })
      try {
        return resultOf(await playTests({ only: testFilter, timesMs, bail: true }))
      } finally {
        Object.assign(namespace, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
      }
    },
  }
}

/** Tests are taken down by the module that stands in for node's runner. */
export async function loadTests(): Promise<void> {
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = STAND_INS.get(specifier)
      return url === undefined || context.parentURL === url ? next(specifier, context) : { url, shortCircuit: true }
    },
  })
  for await (const file of glob(TESTS)) await import(pathToFileURL(join(process.cwd(), file)).href)
}

async function playedAnew(mutantId: string, timesMs: ReadonlyMap<string, number>): Promise<Outcome[]> {
  const env = { ...process.env, __STRYKER_ACTIVE_MUTANT__: mutantId }
  const worker = new Worker(new URL('thread.ts', import.meta.url), { env, workerData: timesMs })
  return new Promise((resolve) => {
    worker.once('message', resolve)
    worker.once('error', (error) => resolve([{ id: 'the files are loaded', timeMs: 0, failure: String(error) }]))
  })
}

function resultOf(outcomes: readonly Outcome[]): MutantRun {
  const failed = outcomes.find(({ failure }) => failure !== null)
  const nrOfTests = outcomes.length
  const result =
    failed === undefined
      ? { status: 'survived', nrOfTests }
      : failed.failure?.includes('Hit count limit reached')
        ? { status: 'timeout' }
        : { status: 'killed', nrOfTests, killedBy: [failed.id], failureMessage: failed.failure }
  return result as unknown as MutantRun
}
