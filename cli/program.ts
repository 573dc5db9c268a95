import { Command, Help, type Option } from 'commander'
import { allowCommands } from './commands/allow.ts'
import { auditCommands } from './commands/audit.ts'
import { catalogCommands } from './commands/catalog.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { keyCommands } from './commands/keys.ts'
import { ledgerCommands } from './commands/ledger.ts'
import { linkerCommands } from './commands/linker.ts'
import { matchCommand } from './commands/match.ts'
import { networkCommands } from './commands/networks.ts'
import { operatorCommands } from './commands/operators.ts'
import { publisherCommands } from './commands/publishers.ts'
import { rematchCommands } from './commands/rematch.ts'
import { reviewCommands } from './commands/review.ts'
import { secretsCommands } from './commands/secrets.ts'
import { simulatorCommands } from './commands/simulator.ts'
import { startCommand } from './commands/start.ts'
import { termsCommands } from './commands/terms.ts'
import { transactionCommands } from './commands/transactions.ts'
import { budgetCommands, voucherCommands } from './commands/vouchers.ts'
import { versionOf } from './version.ts'

export function createProgram(): Command {
  const program = new Command('laurel')
    .description('An open rewards service: cashback and discounts, to the cent explainable.')
    .version(versionOf(), '--version')
    .exitOverride()
    .showHelpAfterError('(add --help to see how it is called)')
    // Subcommands take these over.
    .configureHelp({ optionDescription })
    .addHelpText('after', '\nSettings are environment variables, all named in README.md.')
  startCommand(program)
  doctorCommand(program)
  demoCommand(program)
  publisherCommands(program)
  keyCommands(program)
  operatorCommands(program)
  auditCommands(program)
  allowCommands(program)
  termsCommands(program)
  catalogCommands(program)
  voucherCommands(program)
  budgetCommands(program)
  matchCommand(program)
  reviewCommands(program)
  rematchCommands(program)
  linkerCommands(program)
  networkCommands(program)
  secretsCommands(program)
  transactionCommands(program)
  simulatorCommands(program)
  ledgerCommands(program)
  return program
}

/** What an option means, and whether the command does nothing without it. */
function optionDescription(option: Option): string {
  const meaning = Help.prototype.optionDescription(option)
  return option.mandatory ? `${meaning} (required)` : meaning
}
