import type { Command } from 'commander'
import { withBy } from './actor.ts'

/** Adds a subcommand. Most also get `--json` (see program.ts). */
export function defineCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description)
}

/** Adds a subcommand that makes changes, by default in the name of the account on this machine. */
export function defineChange(parent: Command, name: string, description: string): Command {
  return withBy(defineCommand(parent, name, description))
}
