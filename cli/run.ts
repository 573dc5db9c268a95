import { CommanderError } from 'commander'
import { createProgram } from './program.ts'
import { runIn, type Shell, shell } from './shell.ts'
import { note } from './terminal.ts'

/** Runs one command in a shell and returns its exit code: 0 done, 1 not done, 2 wrong usage. */
export function run(args: readonly string[], given: Shell): Promise<number> {
  return runIn(given, async () => {
    try {
      const program = await createProgram(args)
      await program.parseAsync(args, { from: 'user' })
      return Number(shell().exitCode ?? 0)
    } catch (error) {
      // Commander has already printed its own errors; it ends help and version this way, too.
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
      const { failureOf } = await import('./errors.ts')
      const { lines, exitCode } = failureOf(error)
      for (const line of lines) note(line)
      return exitCode
    }
  })
}
