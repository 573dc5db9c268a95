import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { constants } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer } from '../test/support/postgres.ts'

/**
 * Everything that must hold before a change lands, cheapest first: types, lint, tests. Ends with the closing lines of
 * node's test runner. Arguments name files or folders; those that begin with a dash go to the runner. With --long only
 * the tests with random cases run, with thirty times as many cases, or as LAUREL_RUNS says.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url))
const BIN = join(ROOT, 'node_modules', '.bin')
const COMPILED = join(ROOT, 'node_modules', '.cache', 'laurel-tests')
const FOLDERS = '{src,cli,simulator,test,bench,scripts}'
// One more than the cores of the machines we are checked on: a file waits for its database a third of the time.
const CONCURRENCY = 3
const LONG_RUNS = '30'
// For what hangs. The longest file takes half a minute on two idle cores; slow and busy machines need more.
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
  const isLong = parameters.includes('--long')
  const flags = parameters.filter((parameter) => parameter.startsWith('-') && parameter !== '--long')
  const names = parameters.filter((parameter) => !parameter.startsWith('-'))
  if (isLong) process.env['LAUREL_RUNS'] ??= LONG_RUNS
  const files = (await testFiles(names)).filter((file) => !isLong || playsRandomCases(file))
  if (files.length === 0) {
    console.error(`No test file matches ${names.join(' ')}.`)
    return 1
  }
  return (
    (await step('Types', join(BIN, 'tsc'), ['-p', '.'])) ||
    (await step('Types of the console', join(BIN, 'tsc'), ['-p', 'console'])) ||
    (await step('Lint and format', join(BIN, 'biome'), ['check'])) ||
    (await runTests(files, flags))
  )
}

async function runTests(files: readonly string[], flags: readonly string[]): Promise<number> {
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
      // Most of what a short file does is loading code: compiled code is kept from file to file and from run to run.
      { NODE_COMPILE_CACHE: COMPILED, ...(server ? { LAUREL_TEST_SERVER: server.url, ...server.environment } : {}) },
    )
  } finally {
    await server?.stop()
  }
}

/** Runs one program to its end and returns its exit code, as a shell would give it. */
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
