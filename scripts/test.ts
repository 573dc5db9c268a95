import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer } from '../test/support/postgres.ts'
import { testsReached } from './changed-tests.ts'

/**
 * Runs everything that must pass before a change lands, cheapest first: types, lint, tests. The output ends with the
 * summary of node's test runner. Arguments are files or folders, and flags go to the runner. `--changed` runs only the
 * tests affected by changes since a revision (by default, by uncommitted changes). `--long` runs only the tests with
 * random cases, with thirty times as many cases, or LAUREL_RUNS times as many.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const BIN = join(ROOT, 'node_modules', '.bin')
const COMPILED = join(ROOT, 'node_modules', '.cache', 'laurel-tests')
const FOLDERS = '{src,cli,simulator,test,bench,scripts}'
const SOURCES = ['{src,cli,simulator,test,bench,scripts,examples,console/src}/**/*.{ts,tsx,mjs}', 'db/migrations/*.sql']
// One more than the number of cores on the CI machines: a file spends a third of its time waiting for
// its database.
const CONCURRENCY = 3
const LONG_RUNS = '30'
// Stops tests that hang. The longest file takes half a minute on two idle cores; slow and busy machines need more.
const FILE_LIMIT_MS = 1_800_000

let running: ChildProcess | null = null
let interruptedBy: NodeJS.Signals | null = null
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interruptedBy = signal
    running?.kill(signal)
  })
}

process.exitCode = await main(process.argv.slice(2))

async function main(parameters: readonly string[]): Promise<number> {
  const { isLong, since, flags, names } = parseOptions(parameters)
  if (isLong) process.env['LAUREL_RUNS'] ??= LONG_RUNS
  process.env['LAUREL_SEED'] ??= String(randomInt(2 ** 31))
  const reached = since === null ? null : await changedTests(since)
  const files = (await testFiles(names))
    .filter((file) => !isLong || playsRandomCases(file))
    .filter((file) => reached === null || reached.includes(file))
  if (files.length === 0) {
    console.error(`No test file matches ${names.join(' ')}.`)
    return 1
  }
  if (since !== null) console.log(`${files.length} test files can be reached by the changes since ${since}.`)
  return (
    (await step('Types', join(BIN, 'tsc'), ['-p', '.'])) ||
    (await step('Types of the console', join(BIN, 'tsc'), ['-p', 'console'])) ||
    (await step('Lint and format', join(BIN, 'biome'), ['check'])) ||
    (await runTests(files, flags))
  )
}

type Options = {
  readonly isLong: boolean
  readonly since: string | null
  readonly flags: readonly string[]
  readonly names: readonly string[]
}

function parseOptions(parameters: readonly string[]): Options {
  const at = parameters.indexOf('--changed')
  const revision = at >= 0 && parameters[at + 1]?.startsWith('-') === false ? parameters[at + 1] : undefined
  const others = parameters.filter(
    (parameter, index) => parameter !== '--changed' && (index !== at + 1 || revision === undefined),
  )
  return {
    isLong: others.includes('--long'),
    since: at >= 0 ? (revision ?? 'HEAD') : null,
    flags: others.filter((parameter) => parameter.startsWith('-') && parameter !== '--long'),
    names: others.filter((parameter) => !parameter.startsWith('-')),
  }
}

/** Returns the tests affected by commits since the revision, by uncommitted changes and by new files. */
async function changedTests(revision: string): Promise<string[]> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
  const changed = [...git('diff', '--name-only', revision, '--'), ...git('ls-files', '--others', '--exclude-standard')]
  const sources = new Map<string, string>()
  for await (const file of glob(SOURCES, { cwd: ROOT })) sources.set(file, await readFile(join(ROOT, file), 'utf8'))
  return testsReached(
    sources,
    changed.filter((path) => path !== ''),
  )
}

async function runTests(files: readonly string[], flags: readonly string[]): Promise<number> {
  console.log(`\nRandom cases have the seed ${process.env['LAUREL_SEED']}; LAUREL_SEED repeats it.`)
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['LAUREL_TEST_SERVER']
  const server = given ? null : await startTestServer()
  try {
    return await step(
      'Tests',
      process.execPath,
      [
        '--test',
        `--test-concurrency=${CONCURRENCY}`,
        `--test-timeout=${FILE_LIMIT_MS}`,
        '--test-reporter=spec',
        ...flags,
        ...files,
      ],
      // Short files spend most of their time loading code, so compiled code is cached between files and runs.
      { NODE_COMPILE_CACHE: COMPILED, ...(server ? { LAUREL_TEST_SERVER: server.url, ...server.environment } : {}) },
    )
  } finally {
    await server?.stop()
  }
}

/** Runs a program to completion and returns its exit code as a shell would report it. */
async function step(
  heading: string,
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  if (interruptedBy !== null) return 128 + constants.signals[interruptedBy]
  console.log(`\n── ${heading} ──`)
  const child = spawn(program, parameters, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } })
  running = child
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  running = null
  const ended = interruptedBy ?? signal
  return ended === null ? (code ?? 1) : 128 + constants.signals[ended]
}

function playsRandomCases(file: string): boolean {
  return readFileSync(join(ROOT, file), 'utf8').includes('/runs.ts')
}

async function testFiles(names: readonly string[]): Promise<string[]> {
  const wanted = names.map((name) => relative(ROOT, resolve(name)))
  const files: string[] = []
  for await (const file of glob(`${FOLDERS}/**/*.test.ts`, { cwd: ROOT })) {
    const chosen = wanted.some((name) => file === name || name === '' || file.startsWith(name.replace(/\/?$/, sep)))
    if (wanted.length === 0 || chosen) files.push(file)
  }
  return files.sort()
}
