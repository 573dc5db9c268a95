// Runs the service as `start` does, on the database from the environment, with the console if the first argument is
// `console`. Sends its address to the parent process.

import { startService } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { buildConsole } from '../../src/platform/web/index.ts'

const service = await startService(readConfig(), process.argv[2] === 'console' ? { consoleFolder: buildConsole() } : {})
process.send?.(service.url)
// Reports the memory in use whenever the parent asks.
process.on('message', () => process.send?.(process.memoryUsage.rss()))
process.once('SIGTERM', async () => {
  await service.close()
  process.disconnect?.()
})
