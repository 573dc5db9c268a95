import { startSimulator } from './index.ts'

/**
 * The simulator as a process. Settings: SIMULATOR_PORT, SIMULATOR_HOST, SIMULATOR_DATA_FILE,
 * SIMULATOR_SERVICE_URL and SIMULATOR_EXIT_WITH_PARENT; see README.md. The one line on stdout is for the parent, which
 * reads the addresses from it.
 */
const DEFAULT_PORT = 8081

const { SIMULATOR_PORT, SIMULATOR_HOST, SIMULATOR_DATA_FILE, SIMULATOR_SERVICE_URL, SIMULATOR_EXIT_WITH_PARENT } =
  process.env

const simulator = await startSimulator({
  port: readPort(SIMULATOR_PORT),
  ...(SIMULATOR_HOST ? { host: SIMULATOR_HOST } : {}),
  ...(SIMULATOR_DATA_FILE ? { dataFile: SIMULATOR_DATA_FILE } : {}),
  ...(SIMULATOR_SERVICE_URL ? { serviceUrl: SIMULATOR_SERVICE_URL } : {}),
})
const { url: simulator_url, networkUrl: network_url } = simulator
process.stdout.write(`${JSON.stringify({ simulator_url, ...(network_url === null ? {} : { network_url }) })}\n`)

let stopping = false
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
if (SIMULATOR_EXIT_WITH_PARENT === '1') {
  // The pipe from the parent ends when the parent does, however it does.
  process.stdin.on('end', stop).on('error', stop).resume()
}

function stop(): void {
  if (stopping) return
  stopping = true
  simulator.close().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
}

function readPort(text: string | undefined): number {
  const port = text === undefined || text === '' ? DEFAULT_PORT : Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  console.error('SIMULATOR_PORT must be a port number, or 0 for any free one.')
  process.exit(2)
}
