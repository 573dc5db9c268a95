import { type Command, CommanderError } from 'commander'
import { createProgram } from './program.ts'
import { runIn, type Shell, shell } from './shell.ts'
import { note } from './terminal.ts'

/** Runs one command in a shell and returns its exit code: 0 success, 1 failure, 2 usage error. */
export function run(args: readonly string[], given: Shell): Promise<number> {
  return runIn(given, async () => {
    try {
      const program = await createProgram(args)
      refuseUnknownCommand(program, args)
      await program.parseAsync(args, { from: 'user' })
      return Number(shell().exitCode ?? 0)
    } catch (error) {
      // Commander has already printed its own errors. It also throws one to exit after showing help or the version.
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
      const { toFailure } = await import('./errors.ts')
      const { lines, exitCode } = toFailure(error)
      for (const line of lines) note(line)
      return exitCode
    }
  })
}

/** Reports an unknown command even if help was requested; Commander itself would print the parent command's help. */
function refuseUnknownCommand(program: Command, args: readonly string[]): void {
  const asksForHelp = args[0] === 'help' || args.includes('--help') || args.includes('-h')
  if (!asksForHelp) return
  let command: Command = program
  for (const arg of args[0] === 'help' ? args.slice(1) : args) {
    if (arg === '--help' || arg === '-h') continue
    if (arg.startsWith('-') || command.commands.length === 0 || command.registeredArguments.length > 0) return
    const found = command.commands.find((one) => one.name() === arg || one.aliases().includes(arg))
    if (found === undefined) command.error(`error: unknown command '${arg}'`, { code: 'commander.unknownCommand' })
    command = found
  }
}
