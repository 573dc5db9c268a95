import { parentPort, workerData } from 'node:worker_threads'
import { load, standIn } from './load.ts'
import { activate } from './namespace.ts'
import { type Outcome, playTests } from './tests.ts'

/** The thread's input: the mutant, active before the first file is loaded, and the files in order. */
export type ThreadInput = {
  readonly mutantId: string
  readonly hitLimit: number | undefined
  readonly files: readonly string[]
}

const { mutantId, hitLimit, files }: ThreadInput = workerData
activate(mutantId, hitLimit)
standIn()
parentPort?.postMessage(await playFileByFile())

// A broken mutant usually shows itself before all files are loaded.
async function playFileByFile(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const file of files) {
    outcomes.push(...(await playTests({ only: await load(file), bail: true })))
    if (outcomes.at(-1)?.failure != null) break
  }
  return outcomes
}
