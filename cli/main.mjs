import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The `laurel` command. This file is JavaScript because loading the TypeScript compiler takes 0.2 s, and a warm cache
// makes it unnecessary. The cache is inside the installation, because other users could tamper with one in a shared
// folder.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/laurel-compiled', import.meta.url)))
const { run } = await import('./run.ts')

// The reader might close the output early, as in `laurel start | head`.
process.stdout.on('error', () => undefined)
const exitCode = await run(process.argv.slice(2), process)
// Handles that a library keeps open, such as idle sockets, must not keep a finished command alive.
process.exit(exitCode)
