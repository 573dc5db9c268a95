import { startSimulator } from './index.ts'

/**
 * The simulator's process. Its settings are SIMULATOR_PORT, SIMULATOR_HOST, SIMULATOR_DATA_FILE, SIMULATOR_SERVICE_URL
 * and SIMULATOR_EXIT_WITH_PARENT; see README.md. It prints a single line to stdout, from which the parent reads the
 * addresses.
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
  // The pipe closes when the parent exits, for whatever reason.
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
