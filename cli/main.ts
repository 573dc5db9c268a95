import { enableCompileCache } from 'node:module'
import { COMPILED } from './compiled.ts'

/**
 * The `laurel` command. The cache of compiled code halves the time to start, so everything else is imported only after
 * it is open.
 */
enableCompileCache(COMPILED)
const { run } = await import('./run.ts')

// The reader of the output may close it early (`laurel start | head`).
process.stdout.on('error', () => undefined)
const exitCode = await run(process.argv.slice(2), process)
// What a library still holds open (idle sockets) must not keep a finished command waiting.
process.exit(exitCode)
