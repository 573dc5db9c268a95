// The service as `start` runs it, on the database of the environment, with the console if the first parameter is
// `console`; tells its parent where it listens.
import { buildConsole } from '../../src/fronts/index.ts'
import { startService } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config.ts'

const service = await startService(readConfig(), process.argv[2] === 'console' ? { consoleFolder: buildConsole() } : {})
process.send?.(service.url)
// How much memory it takes, whenever its parent asks.
process.on('message', () => process.send?.(process.memoryUsage.rss()))
process.once('SIGTERM', async () => {
  await service.close()
  process.disconnect?.()
})
