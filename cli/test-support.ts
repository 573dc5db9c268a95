import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { databaseEnvironment } from '../test/support/postgres.ts'
import { run } from './run.ts'

export const PROGRAM = fileURLToPath(new URL('./main.mjs', import.meta.url))

type Environment = Readonly<Record<string, string>>
type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a command in this process, with its own shell. */
export async function laurel(
  args: readonly string[],
  env: Environment,
  input = '',
  { isTTY = false } = {},
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })]
  const printed = Promise.all([text(stdout), text(stderr)])
  const code = await run(args, {
    env: buildEnvironment(env),
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
  })
  stdout.end()
  stderr.end()
  const [out, err] = await printed
  return { code, stdout: out, stderr: err }
}

/** Runs a command in a separate process, as a user would. */
export async function laurelProcess(args: readonly string[], env: Environment): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: buildEnvironment(env),
  })
  const [stdout, stderr, [code]] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stdout, stderr }
}

/** Runs a command that must succeed and returns its JSON output. */
// biome-ignore lint/suspicious/noExplicitAny: each test states the shape it expects
export async function laurelJson(args: readonly string[], env: Environment, input?: string): Promise<any> {
  const ended = await laurel([...args, '--json'], env, input)
  assert.equal(ended.code, 0, ended.stderr)
  return JSON.parse(ended.stdout)
}

export type Running = {
  readonly child: ChildProcess
  readonly banner: string
  readonly url: string
  readonly apiKey: string
  readonly simulatorUrl: string
  /** The entire log up to now. */
  log(): string
  /** Sends a signal and waits for the process to exit. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** The banner's complete curl line, which may arrive in several chunks. Only remarks follow it. */
const EXAMPLE = /^curl .*\n/m

/** Starts the service and waits for its banner. */
export async function startLaurel(env: Environment): Promise<Running> {
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: buildEnvironment(env),
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  let banner = ''
  for await (const chunk of child.stdout) {
    banner += chunk
    if (EXAMPLE.test(banner)) break
  }
  if (!EXAMPLE.test(banner)) throw new Error(`laurel start ended without its banner: ${log}`)
  const find = (name: string): string => new RegExp(`^ *${name} +(\\S+)`, 'm').exec(banner)?.[1] ?? ''
  return {
    child,
    banner,
    url: find('Service'),
    apiKey: find('API key'),
    simulatorUrl: find('Simulator'),
    log: () => log,
    end: async (signal) => {
      const ended = once(child, 'exit')
      child.kill(signal)
      return (await ended)[0]
    },
  }
}

/** Creates a data folder that is removed after the file's tests. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-cli-'))
  // If tests run as root, the database runs under another account, which must be able to traverse the folder.
  // Otherwise, it would use a different folder.
  await chmod(folder, 0o711)
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function buildEnvironment(env: Environment): NodeJS.ProcessEnv {
  // From the test environment, commands inherit only the paths of programs, the home folder and the temporary folder.
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, ...databaseEnvironment(), ...env }
}

function readText(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream)
}
