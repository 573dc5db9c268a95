import { parentPort, workerData } from 'node:worker_threads'
import { load, standIn, testFilesFor } from './load.ts'
import { activate } from './namespace.ts'
import { type Outcome, playTests, takenTests } from './tests.ts'

/** What the thread is told: the mutant, which is there before the first file is loaded. */
export type Told = {
  readonly mutantId: string
  readonly sandboxFileName: string
  readonly hitLimit: number | undefined
}

const { mutantId, sandboxFileName, hitLimit }: Told = workerData
activate(mutantId, hitLimit)
standIn()
parentPort?.postMessage(await playFileByFile())

// What a mutant breaks is noticed before all is loaded, mostly.
async function playFileByFile(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const file of await testFilesFor(sandboxFileName)) {
    const before = takenTests().length
    await load(file)
    outcomes.push(...(await playTests({ only: takenTests().slice(before), bail: true })))
    if (outcomes.at(-1)?.failure != null) break
  }
  return outcomes
}
