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

/** Runs a command within this process, in a shell of its own. */
export async function laurel(
  args: readonly string[],
  env: Environment,
  input = '',
  { isTTY = false } = {},
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })]
  const printed = Promise.all([text(stdout), text(stderr)])
  const code = await run(args, { env: environmentOf(env), stdin: Readable.from([Buffer.from(input)]), stdout, stderr })
  stdout.end()
  stderr.end()
  const [out, err] = await printed
  return { code, stdout: out, stderr: err }
}

/** Runs a command as a user does: in a process of its own. */
export async function laurelProcess(args: readonly string[], env: Environment): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(env),
  })
  const [stdout, stderr, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'exit')])
  return { code, stdout, stderr }
}

/** Runs a command that must succeed and gives back its one JSON object. */
// biome-ignore lint/suspicious/noExplicitAny: the answer's shape is what the test states
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
  /** What it has logged so far. */
  log(): string
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** The banner's example, whole: it may arrive in several pieces, and only remarks come after it. */
const EXAMPLE = /^curl .*\n/m

/** Starts the service and waits for its banner. */
export async function startLaurel(env: Environment): Promise<Running> {
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOf(env),
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
    ...{ child, banner, url: find('Service'), apiKey: find('API key'), simulatorUrl: find('Simulator') },
    log: () => log,
    end: async (signal) => {
      const ended = once(child, 'exit')
      child.kill(signal)
      return (await ended)[0]
    },
  }
}

/** A data folder that is gone after the file's tests. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-cli-'))
  // Run as root, the database has an account of its own, which must pass through; otherwise it would be elsewhere.
  await chmod(folder, 0o711)
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function environmentOf(env: Environment): NodeJS.ProcessEnv {
  // Of the tests' own environment a command sees only where programs and homes are.
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, ...databaseEnvironment(), ...env }
}

function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream)
}
