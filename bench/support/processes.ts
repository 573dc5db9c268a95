import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'

/** A program of the bench's that says where it listens and runs until it is ended. */
export type Serving = { readonly url: string; readonly child: ChildProcess; stop(): Promise<void> }

/** Runs one of the bench's programs in a process of its own, as the service runs in one. */
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

/** Settings of the person's own service must not reach the one that is measured. */
function inherited(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    LAUREL_LOG_LEVEL: 'silent',
    LAUREL_MASTER_KEY: randomBytes(32).toString('base64'),
  }
}
