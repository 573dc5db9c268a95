import { constants, existsSync } from 'node:fs'
import { access, readFile, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../src/platform/config/config.ts'
import { chooseKeySource } from '../../src/platform/vault/index.ts'
import { formatCount } from '../terminal.ts'
import { type Check, fail, pass } from './check.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const NODE_MAJOR = 24
// Leaves the database room to grow until someone acts on the warning.
const DISK_BYTES_MIN = 1024 ** 3

export function checkNode(): Check {
  const { node } = process.versions
  if (Number(node.split('.')[0]) >= NODE_MAJOR) return pass('node', node)
  return fail(
    'node',
    `running on ${node}`,
    `Start with \`npm start\` or \`./laurel\`, which include Node ${NODE_MAJOR}.`,
  )
}

/** Checks that every dependency is installed in the version that package.json specifies. */
export async function checkDependencies(): Promise<Check> {
  const { dependencies } = await readJson(join(ROOT, 'package.json'))
  const named = Object.entries(dependencies as Record<string, string>)
  const found = await Promise.all(
    named.map(async ([name, wanted]) => {
      const { version } = await readJson(join(ROOT, 'node_modules', name, 'package.json'))
      return version === wanted ? null : name
    }),
  )
  const missing = found.filter((name) => name !== null)
  if (missing.length === 0) return pass('dependencies', `${formatCount(named.length, 'package')} as locked`)
  return fail('dependencies', `missing or wrong version: ${missing.join(', ')}`, 'Run `npm ci` in the checkout.')
}

export async function checkDataFolder({ dataDir }: Config): Promise<Check> {
  const place = nearestPresent(dataDir)
  try {
    await access(place, constants.W_OK | constants.X_OK)
    return pass('data folder', place === dataDir ? dataDir : `${dataDir}, created at the first start`)
  } catch {
    return fail('data folder', `${place} is not writable`, 'Make it writable by this account, or set LAUREL_DATA_DIR.')
  }
}

export async function checkDisk({ dataDir }: Config): Promise<Check> {
  const { bavail, bsize } = await statfs(nearestPresent(dataDir))
  const free = bavail * bsize
  const detail = `${(free / 1024 ** 3).toFixed(1)} GiB free`
  return free >= DISK_BYTES_MIN
    ? pass('disk space', detail)
    : fail('disk space', detail, 'Free at least 1 GiB, or move LAUREL_DATA_DIR.')
}

/**
 * Reads the key but never creates one. A missing key is generated at the first start, and a lost key cannot be
 * recreated.
 */
export async function checkMasterKey({ masterKeys, dataDir }: Config): Promise<Check> {
  const { file, place, read } = chooseKeySource(masterKeys, dataDir)
  if (file === null) return pass('master key', place)
  if (!existsSync(file)) return pass('master key', 'generated at the first start')
  try {
    read()
  } catch {
    return fail('master key', `${file} does not contain 32 bytes in base64`, `Restore ${file} from a backup.`)
  }
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0) return fail('master key', `${file} can be read by others`, `chmod 600 ${file}`)
  return pass('master key', file)
}

function nearestPresent(path: string): string {
  return existsSync(path) ? path : nearestPresent(dirname(path))
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}
