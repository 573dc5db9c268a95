import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The `laurel` command. This file is JavaScript, so that the compiler of TypeScript, which takes 0.2 s to load, is not
// needed once the code is in the cache. The cache is within the installation: in a shared folder others could replace
// it.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/laurel-compiled', import.meta.url)))
const { run } = await import('./run.ts')

// The reader of the output may close it early (`laurel start | head`).
process.stdout.on('error', () => undefined)
const exitCode = await run(process.argv.slice(2), process)
// What a library still holds open (idle sockets) must not keep a finished command waiting.
process.exit(exitCode)
