import { enableCompileCache } from 'node:module'
import { COMPILED } from './compiled.ts'

/**
 * The `laurel` command. What was compiled once is kept, which halves the time to start; so everything else is imported
 * only after the cache is open.
 */
enableCompileCache(COMPILED)
const { run } = await import('./run.ts')

// Whoever reads the output may go before it ends (`laurel start | head`): that is no reason to fall over.
process.stdout.on('error', () => undefined)
const exitCode = await run(process.argv)
// Whatever a library still holds open (idle sockets) must not keep a finished command waiting.
process.exit(exitCode)
