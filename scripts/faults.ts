import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { FAULTS, type Fault } from '../test/faults.ts'
import { startTestServer } from '../test/support/postgres.ts'

/**
 * Injects each fault in test/faults.ts and runs the test file that must find it. Arguments filter by parts of file
 * names.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PLANT = new URL('../test/support/plant-fault.mjs', import.meta.url).href

const names = process.argv.slice(2)
const server = await startTestServer()
try {
  for (const [index, fault] of FAULTS.entries()) {
    if (names.length > 0 && !names.some((name) => `${fault.file} ${fault.foundBy}`.includes(name))) continue
    const outcome = await tryFault(fault, index)
    if (outcome !== 'found') process.exitCode = 1
    console.log(`${outcome.padEnd(9)} ${fault.what} (${fault.file}, ${fault.foundBy})`)
  }
} finally {
  await server.stop()
}

async function tryFault(fault: Fault, index: number): Promise<'found' | 'NOT FOUND' | 'OUTDATED'> {
  // If the line has changed, nothing would be injected.
  if ((await readFile(`${ROOT}${fault.file}`, 'utf8')).split(fault.from).length !== 2) return 'OUTDATED'
  const { status } = spawnSync(process.execPath, ['--import', PLANT, fault.foundBy], {
    cwd: ROOT,
    env: { ...process.env, LAUREL_FAULT: String(index), LAUREL_TEST_SERVER: server.url, ...server.environment },
    stdio: 'ignore',
  })
  return status === 0 ? 'NOT FOUND' : 'found'
}
