import { Command, Help, type Option } from 'commander'
import { shell } from './shell.ts'
import { readVersion } from './version.ts'

type Entry = readonly [
  name: string,
  description: string,
  load: () => Promise<{ readonly define: (command: Command) => void }>,
]

/** All commands. A command's code and its dependencies load only when it is called. */
const COMMANDS: readonly Entry[] = [
  [
    'start',
    'run the service; starts an embedded database and a simulated linking provider if none is configured',
    () => import('./commands/start.ts'),
  ],
  [
    'migrate',
    'apply the migrations that the database lacks; `start` also does this',
    () => import('./commands/migrate.ts'),
  ],
  [
    'backup',
    'back up the embedded database, even while the service runs; the master key is not included',
    () => import('./commands/backup.ts'),
  ],
  [
    'restore',
    'restore a backup of the embedded database into an empty data folder, start a feed epoch and verify the ledger',
    () => import('./commands/restore.ts'),
  ],
  ['doctor', 'check the installation and suggest a remedy for each fault', () => import('./commands/doctor.ts')],
  [
    'demo',
    'walk a new user through a purchase, from registration to payout, and show each step',
    () => import('./commands/demo.ts'),
  ],
  ['publishers', 'the tenants: platforms with their own end users', () => import('./commands/publishers.ts')],
  ['keys', 'API keys; a publisher can have several, so that they can be rotated', () => import('./commands/keys.ts')],
  [
    'takeouts',
    'export a publisher with all its data, and import it into another installation',
    () => import('./commands/takeouts.ts'),
  ],
  [
    'operators',
    'people and tools of the operating company, with keys for the URLs under /operator/',
    () => import('./commands/operators.ts'),
  ],
  ['accounts', 'people who sign in to the console', () => import('./commands/accounts.ts')],
  ['audit', 'who changed what, by a command or as an operator', () => import('./commands/audit.ts')],
  ['allow', "where each publisher's link flow may return to", () => import('./commands/allow.ts')],
  ['terms', 'the terms and conditions that users accept', () => import('./commands/terms.ts')],
  ['catalog', 'brands, categories and offers', () => import('./commands/catalog.ts')],
  ['vouchers', 'voucher codes that are assigned one by one', () => import('./commands/vouchers.ts')],
  ['gift-cards', "users' gift cards", () => import('./commands/gift-cards.ts')],
  [
    'budgets',
    'how much offers have spent of their daily, weekly, monthly and lifetime budgets',
    () => import('./commands/budgets.ts'),
  ],
  [
    'match',
    'find the brand of a descriptor, or of each descriptor in a file, and show the evidence',
    () => import('./commands/match.ts'),
  ],
  ['review', 'merchants that are probably brands', () => import('./commands/review.ts')],
  [
    'rematch',
    'decide purchases again after an alias, a store list, a date or an offer was corrected',
    () => import('./commands/rematch.ts'),
  ],
  ['linker', 'linked logins at the linking provider', () => import('./commands/linker.ts')],
  ['refunds', 'refunds without a purchase', () => import('./commands/refunds.ts')],
  ['claims', 'claims that a reward is missing or wrong', () => import('./commands/claims.ts')],
  ['payouts', 'redemptions paid through a bank, and the payout files for it', () => import('./commands/payouts.ts')],
  ['networks', 'affiliate networks that report sales', () => import('./commands/networks.ts')],
  ['events', 'the event feed', () => import('./commands/events.ts')],
  ['facts', 'recorded facts whose processing keeps failing', () => import('./commands/facts.ts')],
  ['secrets', 'the master key and the records sealed under it', () => import('./commands/secrets.ts')],
  ['transactions', 'purchases', () => import('./commands/transactions.ts')],
  [
    'simulator',
    'simulate purchases, refunds and broken logins on cards linked in the simulator',
    () => import('./commands/simulator.ts'),
  ],
  ['ledger', 'the ledger', () => import('./commands/ledger.ts')],
  [
    'reconcile',
    "compare a publisher's books for a day, or an external file, and list each row that differs",
    () => import('./commands/reconcile.ts'),
  ],
  [
    'statements',
    'monthly statements of advertisers, publishers and the service',
    () => import('./commands/statements.ts'),
  ],
]

export const COMMAND_NAMES: readonly string[] = COMMANDS.map(([name]) => name)

/** Builds the program. Only the commands that appear in the arguments get their subcommands and options. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('laurel')
    .description('An open rewards service: cashback and discounts, explainable to the cent.')
    .version(readVersion(), '--version')
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
    .configureOutput({
      writeOut: (text) => shell().stdout.write(text),
      writeErr: (text) => shell().stderr.write(text),
    })
    // Subcommands inherit these settings.
    .configureHelp({ optionDescription })
    .addHelpText('after', '\nSettings are environment variables, listed in docs/reference/settings.md.')
  for (const [name, description, load] of COMMANDS) {
    const command = program.command(name).description(description)
    if (!args.includes(name)) continue
    const { define } = await load()
    define(command)
    offerJson(command, name)
  }
  return program
}

// Commands whose output is a file, a log or a walk-through.
const WITHOUT_JSON = ['start', 'migrate', 'demo', 'catalog export', 'payouts content', 'statements show']

/** Adds `--json` after the other options of each command, unless the command defines it itself. */
function offerJson(command: Command, path: string): void {
  for (const one of command.commands) offerJson(one, `${path} ${one.name()}`)
  const isKnown = command.options.some(({ long }) => long === '--json')
  if (command.commands.length === 0 && !isKnown && !WITHOUT_JSON.includes(path))
    command.option('--json', 'print one JSON object')
}

/** Returns an option's description, with a note if the option is required. */
function optionDescription(option: Option): string {
  const meaning = Help.prototype.optionDescription(option)
  return option.mandatory ? `${meaning} (required)` : meaning
}
