import { parentPort, workerData } from 'node:worker_threads'
import { loadTests } from './runner.ts'
import { playTests } from './tests.ts'

// The mutant is named by the environment, so it is there before the first file is loaded.
await loadTests()
parentPort?.postMessage(await playTests({ timesMs: workerData, bail: true }))
