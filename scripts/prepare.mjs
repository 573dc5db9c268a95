// Installs the locked dependencies if they are missing or older than the lock file. It runs before anything is
// installed, on whatever Node ≥ 20 the machine has, so it has no dependencies.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
const RUNTIME_NODE = 24
// A lock folder without its owner's pid is still being created. After this long, its creator must have been killed.
const NAMELESS_MS = 5_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stamp = join(modules, '.laurel-stamp')
const runtime = join(modules, '.bin', 'node')

await main()

async function main() {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    fail(
      `Laurel needs Node ${OLDEST_NODE} or later, and this is ${process.versions.node}: install one from nodejs.org.`,
    )
  }
  if (isStamped()) return
  process.once('exit', await takeLock())
  // Another process might have done the work while this one waited.
  if (isStamped()) return
  if (!isInstalled()) install()
  ensureRuntime()
  leaveStamp()
}

function wantedStamp() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return `${lock} ${process.platform}-${process.arch}\n`
}

function isStamped() {
  return existsSync(runtime) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wantedStamp()
}

function leaveStamp() {
  try {
    writeFileSync(stamp, wantedStamp())
  } catch (error) {
    // A complete read-only checkout needs no stamp. The next start checks in detail again.
    if (!['EACCES', 'EROFS', 'EPERM'].includes(error.code)) throw error
  }
}

/**
 * Returns true if npm's own record in node_modules matches the lock file, because someone might have run `npm ci` by
 * hand.
 */
function isInstalled() {
  const record = join(modules, '.package-lock.json')
  if (!existsSync(record)) return false
  const locked = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(record)
  return (
    Object.keys(installed).every((path) => path in locked) &&
    Object.entries(locked).every(([path, { version, optional }]) =>
      path === '' || (optional && !(path in installed)) ? true : installed[path]?.version === version,
    )
  )
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function install() {
  process.stderr.write('Installing the locked dependencies of Laurel (npm ci), which takes about a minute.\n')
  // Types, lint and tests need the development packages whatever NODE_ENV is.
  const result = npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'])
  if (result.status === 0) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  fail(
    `npm ci failed (${result.error?.message ?? `exit ${result.status}`}): see above, put the cause right, try again.`,
  )
}

/**
 * Makes sure that the required Node is installed. The npm package `node` downloads its binary in an install script,
 * which npm might be configured not to run.
 */
function ensureRuntime() {
  if (runtimeMajor() === RUNTIME_NODE) return
  const result = spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
    cwd: join(modules, 'node'),
    env: ownEnvironment(),
    encoding: 'utf8',
  })
  if (runtimeMajor() === RUNTIME_NODE) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  fail(
    `Node ${RUNTIME_NODE} did not come with the npm package "node": run \`npm rebuild node --ignore-scripts=false\`, and see that npm may reach its registry.`,
  )
}

function runtimeMajor() {
  const answer = spawnSync(runtime, ['--version'], { encoding: 'utf8' })
  return Number(/^v(\d+)\./.exec(answer.stdout ?? '')?.[1])
}

function npm(parameters) {
  const options = { cwd: root, env: ownEnvironment(), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }
  const result = spawnSync('npm', parameters, options)
  const script = process.env['npm_execpath']
  // npm might have been started by its full path without being on the PATH. It then passes its location to its scripts.
  return result.error?.code === 'ENOENT' && script?.endsWith('.js')
    ? spawnSync(process.execPath, [script, ...parameters], options)
    : result
}

/**
 * Returns the environment without npm's additions for scripts, because npm must not run on the very Node that it
 * replaces.
 */
function ownEnvironment() {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name))
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(inherited), PATH: path.join(delimiter) }
}

/**
 * Allows one process at a time, because npm ci first empties the folder, which another process might be filling.
 * Returns a function that releases the lock. A killed process leaves its lock behind, and the next one sees that the
 * owner is gone.
 */
async function takeLock() {
  const name = `laurel-prepare-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`
  const lock = join(tmpdir(), name)
  const owner = join(lock, 'pid')
  let namelessSince = null
  for (;;) {
    try {
      mkdirSync(lock)
      writeFileSync(owner, String(process.pid))
      return () => rmSync(lock, { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const pid = existsSync(owner) ? Number(readFileSync(owner, 'utf8')) : 0
    namelessSince = pid > 0 ? null : (namelessSince ?? Date.now())
    if (pid > 0 ? !isAlive(pid) : Date.now() - namelessSince > NAMELESS_MS) breakLock(lock, pid)
    await wait(100)
  }
}

/** Removes a dead owner's lock. Renaming ensures that only one of several processes does so. */
function breakLock(lock, pid) {
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
  } catch {
    return
  }
  const taken = existsSync(join(aside, 'pid')) ? Number(readFileSync(join(aside, 'pid'), 'utf8')) : 0
  // Another process broke the lock and took it between our check and our rename, so give it back.
  if (taken !== pid && !existsSync(lock)) renameSync(aside, lock)
  else rmSync(aside, { recursive: true, force: true })
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
