import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'

/** A benchmark program that reports its address and runs until it is stopped. */
export type Serving = { readonly url: string; readonly child: ChildProcess; stop(): Promise<void> }

/** Runs a benchmark program in a separate process, like the real service. */
export async function serve(
  program: string,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Serving> {
  const child = fork(new URL(program, import.meta.url), [...parameters], { env: { ...inherited(), ...env } })
  const [url] = (await Promise.race([once(child, 'message'), gone(child, program)])) as [string]
  return {
    url,
    child,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function gone(child: ChildProcess, program: string): Promise<never> {
  await once(child, 'exit')
  throw new Error(`${program} ended before it served`)
}

/** Keeps the settings of the developer's own service out of the measured one. */
function inherited(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    LAUREL_LOG_LEVEL: 'silent',
    LAUREL_MASTER_KEY: randomBytes(32).toString('base64'),
  }
}
