// Runs the simulator in a separate process, on the given snapshot. Sends its address to the parent process.
import { startSimulator } from '../../simulator/index.ts'

const dataFile = process.argv[2]
if (dataFile === undefined) throw new Error('name the snapshot')
const simulator = await startSimulator({ port: 0, dataFile })
process.send?.(simulator.url)
process.once('SIGTERM', async () => {
  await simulator.close()
  process.exit(0)
})
