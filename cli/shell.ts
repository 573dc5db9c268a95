import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'

/** The environment and streams of a command: those of the process, or substitutes passed in by a test. */
export type Shell = {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean }
  exitCode?: number | string | null | undefined
}

const given = new AsyncLocalStorage<Shell>()

/** Returns the shell of the running command. */
export function shell(): Shell {
  return given.getStore() ?? process
}

export function runIn<T>(one: Shell, work: () => T): T {
  return given.run(one, work)
}
