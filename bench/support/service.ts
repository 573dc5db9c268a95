// The service as `start` runs it, on the database of the environment; tells its parent where it listens.
import { startService } from '../../src/main.ts'
import { readConfig } from '../../src/platform/config.ts'

const service = await startService(readConfig())
process.send?.(service.url)
// How much memory it takes, whenever its parent asks.
process.on('message', () => process.send?.(process.memoryUsage.rss()))
process.once('SIGTERM', async () => {
  await service.close()
  process.disconnect?.()
})
