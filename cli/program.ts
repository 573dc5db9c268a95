import { Command, Help, type Option } from 'commander'
import { shell } from './shell.ts'
import { versionOf } from './version.ts'

type Entry = readonly [
  name: string,
  description: string,
  load: () => Promise<{ readonly define: (command: Command) => void }>,
]

/** Every command. The code of one, and the rooms that it needs, are loaded only when it is called. */
const COMMANDS: readonly Entry[] = [
  [
    'start',
    'run the service, with its database and the simulated linking provider where none are given',
    () => import('./commands/start.ts'),
  ],
  [
    'doctor',
    'look whether everything is in order; say what to do where it is not',
    () => import('./commands/doctor.ts'),
  ],
  [
    'demo',
    'walk one new user through a purchase, from registration to the available reward, and show each step',
    () => import('./commands/demo.ts'),
  ],
  ['publishers', 'the tenants: platforms with their own end users', () => import('./commands/publishers.ts')],
  ['keys', 'API keys: several may live at once, so that they can be replaced', () => import('./commands/keys.ts')],
  [
    'operators',
    'people and tools of the operating company, with keys for the addresses under /operator/',
    () => import('./commands/operators.ts'),
  ],
  ['audit', 'what operators did', () => import('./commands/audit.ts')],
  ['allow', 'where the link flow may return to, for each publisher', () => import('./commands/allow.ts')],
  ['terms', 'the terms and conditions that users accept', () => import('./commands/terms.ts')],
  ['catalog', 'brands, categories and offers', () => import('./commands/catalog.ts')],
  ['vouchers', 'voucher codes that are handed out one by one', () => import('./commands/vouchers.ts')],
  [
    'budgets',
    'what offers have spent of the budgets of today, of this week, month and for good',
    () => import('./commands/budgets.ts'),
  ],
  ['match', 'find the brand of a descriptor, or of each in a file, and tell why', () => import('./commands/match.ts')],
  ['review', 'merchants that look like a brand, but not certainly', () => import('./commands/review.ts')],
  [
    'rematch',
    'purchases decided anew, after an alias, a store list, a date or an offer was corrected',
    () => import('./commands/rematch.ts'),
  ],
  ['linker', 'the linked logins, at the linking provider', () => import('./commands/linker.ts')],
  ['networks', 'affiliate networks that report sales', () => import('./commands/networks.ts')],
  ['secrets', 'the master key, and what is sealed under it', () => import('./commands/secrets.ts')],
  ['transactions', 'purchases', () => import('./commands/transactions.ts')],
  [
    'simulator',
    'what the cards do that are linked at the simulated provider: purchases, refunds, broken logins',
    () => import('./commands/simulator.ts'),
  ],
  ['ledger', 'the books', () => import('./commands/ledger.ts')],
]

export const COMMAND_NAMES: readonly string[] = COMMANDS.map(([name]) => name)

/** The program, with the subcommands and options of those commands that the arguments name. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('laurel')
    .description('An open rewards service: cashback and discounts, to the cent explainable.')
    .version(versionOf(), '--version')
    .exitOverride()
    .showHelpAfterError('(add --help to see how it is called)')
    .configureOutput({
      writeOut: (text) => shell().stdout.write(text),
      writeErr: (text) => shell().stderr.write(text),
    })
    // Subcommands inherit these settings.
    .configureHelp({ optionDescription })
    .addHelpText('after', '\nSettings are environment variables, listed in docs/reference/settings.md.')
  for (const [name, description, load] of COMMANDS) {
    const command = program.command(name).description(description)
    if (args.includes(name)) (await load()).define(command)
  }
  return program
}

/** What an option means, and whether the command requires it. */
function optionDescription(option: Option): string {
  const meaning = Help.prototype.optionDescription(option)
  return option.mandatory ? `${meaning} (required)` : meaning
}
