import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { isReadableLine } from '../src/platform/text/readable.ts'
import { type Actor, toLocalActor } from '../src/tenants/accounts/index.ts'
import { usage } from './options.ts'

/** The `--by` option of commands that make changes. */
export type By = { readonly by?: string }

const NAME_MAX = 255

export function withBy(command: Command): Command {
  return command.option(
    '--by <name>',
    'the person making the change, for the audit log (default: the account on this machine)',
    readName,
  )
}

/** Parses the value of `--by`. */
export function readName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > NAME_MAX || !isReadableLine(name))
    throw usage(`--by must be a name of 1 to ${NAME_MAX} printable characters.`)
  return name
}

/** Returns the local account that runs the command, with its name replaced by the value of `--by` if given. */
export function getActor(by?: string): Actor {
  const actor = toLocalActor(getAccountName())
  return by === undefined ? actor : { ...actor, name: by }
}

/** Returns the account's name, or its uid if it has none, as in containers that run under an arbitrary uid. */
export function getAccountName(lookUpName: () => string = () => userInfo().username): string {
  try {
    return lookUpName()
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
