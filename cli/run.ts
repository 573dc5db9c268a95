import { CommanderError } from 'commander'
import { failureOf } from './errors.ts'
import { createProgram } from './program.ts'
import { note } from './terminal.ts'

/** Runs one call and answers its exit code: 0 done, 1 not done, 2 called wrongly. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync([...argv])
    return Number(process.exitCode ?? 0)
  } catch (error) {
    // Commander has told its own mistakes already; it ends help and version this way, too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { lines, exitCode } = failureOf(error)
    for (const line of lines) note(line)
    return exitCode
  }
}
