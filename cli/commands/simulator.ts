import type { Command } from 'commander'
import { defineCommand } from '../define.ts'
import { UserError } from '../errors.ts'
import { usage } from '../options.ts'
import { openSimulator, type SimulatorClient, type SimulatorItem, type SimulatorRow } from '../simulator-client.ts'
import { formatRow, showAll } from '../simulator-tables.ts'
import { addUserNames, readFilter, readTarget, type TargetOptions, targetOptions } from '../simulator-target.ts'
import { answer, answerJson, note } from '../terminal.ts'
import { linkCommand } from './simulator-link.ts'

type Common = { readonly simulatorUrl?: string; readonly json?: true }

/** Defines commands for the most common actions at the simulated provider. Its page and README cover the rest. */
export function define(simulator: Command): void {
  linkCommand(simulator)
  purchaseCommand(simulator)
  rowCommands(simulator)
  loginCommands(simulator)
  common(targetOptions(defineCommand(simulator, 'list', 'list linked logins and their transactions'))).action(list)
}

function common(command: Command): Command {
  return command
    .option('--simulator-url <url>', 'URL of the simulator (default: the one of this installation)')
    .option('--json', 'print one JSON object')
}

type PurchaseOptions = Common &
  TargetOptions & {
    readonly merchant: string
    readonly amount: number
    readonly pending?: true
    readonly date?: string
    readonly website?: string
    readonly description?: string
    readonly raw?: true
    readonly mcc?: string
    readonly address?: string
    readonly city?: string
    readonly state?: string
    readonly zip?: string
    readonly store?: string
  }

function purchaseCommand(simulator: Command): void {
  const command = defineCommand(simulator, 'purchase', 'buy something with a linked card')
    .requiredOption('--merchant <name>', "the merchant, or with --raw the bank's descriptor")
    .requiredOption('--amount <amount>', 'the amount, such as 42.50', readAmount)
    .option('--pending', 'leave it pending until `simulator post`')
    .option('--date <day>', 'yyyy-MM-dd (default: today for the card)')
    .option('--website <host>', "the merchant's website, such as fernfoods.example")
    .option('--description <text>', "the bank's descriptor (default: the merchant in capitals)")
    .option('--raw', "without the provider's merchant fields")
    .option('--mcc <code>', 'merchant category code, four digits')
    .option('--address <street>', 'where it was bought')
    .option('--city <city>', 'of the shop')
    .option('--state <state>', "the shop's state, such as NY")
    .option('--zip <code>', 'of the shop')
    .option('--store <number>', 'store number within the chain')
  common(targetOptions(command)).action(purchase)
}

async function purchase(options: PurchaseOptions): Promise<void> {
  const target = await readTarget(options)
  const simulator = await openSimulator(options.simulatorUrl)
  const row = await simulator.post<SimulatorRow>('purchases', { ...target, ...buildPurchase(options) })
  if (options.json) return answerJson(row)
  answer(`Bought  ${formatRow(row)}`)
  answer(`id      ${row.transaction_id}`)
  note(
    row.pending
      ? `It is pending. Post it with \`laurel simulator post ${row.transaction_id}\`, or cancel it with \`void\`.`
      : `The service is notified immediately. Refund it with \`laurel simulator refund ${row.transaction_id}\`.`,
  )
}

function buildPurchase(options: PurchaseOptions) {
  const { merchant, amount, pending = false, date, website, description, raw = false, mcc } = options
  const { address, city, state, zip, store } = options
  const location = { address, city, region: state, postal_code: zip, store_number: store }
  // JSON omits undefined fields.
  const somewhere = Object.values(location).some((part) => part !== undefined)
  return {
    merchant,
    amount,
    pending,
    date,
    website,
    mcc,
    original_description: description,
    with_enrichment: !raw,
    location: somewhere ? location : undefined,
  }
}

function rowCommands(simulator: Command): void {
  const row = (name: string, text: string): Command =>
    common(defineCommand(simulator, name, text).argument('<id>', 'the transaction, as listed by `simulator list`'))
  row('post', 'post a pending purchase')
    .option('--amount <amount>', 'a different amount, for example with a tip', readAmount)
    .option('--date <day>', 'yyyy-MM-dd')
    .option('--unlinked', 'post it without a link to the pending row')
    .action((id: string, { unlinked, amount, date, ...options }: RowOptions) =>
      change('Posted', id, 'post', { amount, date, linked: !unlinked }, options),
    )
  row('refund', 'refund a posted purchase, in full or in part')
    .option('--amount <amount>', 'the amount (default: the full remaining amount)', readAmount)
    .option('--date <day>', 'yyyy-MM-dd')
    .action((id: string, { amount, date, ...options }: RowOptions) =>
      change('Refunded', id, 'refund', { amount, date }, options),
    )
  row('void', 'void a pending purchase').action((id: string, options: Common) =>
    change('Voided', id, 'void', {}, options),
  )
  row('remove', 'remove a posted row from the feed').action((id: string, options: Common) =>
    change('Removed', id, 'remove', {}, options),
  )
  row('bring-back', 'restore a removed row under its old id').action((id: string, options: Common) =>
    change('Restored', id, 'bring-back', {}, options),
  )
}

type RowOptions = Common & { readonly amount?: number; readonly date?: string; readonly unlinked?: true }

async function change(
  done: string,
  id: string,
  verb: string,
  body: Readonly<Record<string, unknown>>,
  { simulatorUrl, json }: Common,
): Promise<void> {
  const simulator = await openSimulator(simulatorUrl)
  const row = await simulator.post<SimulatorRow>(`purchases/${encodeURIComponent(id)}/${verb}`, body)
  if (json) return answerJson(row)
  answer(`${done}  ${formatRow(row)}`)
  answer(`${'id'.padEnd(done.length)}  ${row.transaction_id}`)
}

function loginCommands(simulator: Command): void {
  const login = (name: string, text: string): Command =>
    common(targetOptions(defineCommand(simulator, name, text))).option('--silent', 'send no webhook')
  login('break', 'break a linked login')
    .option('--error <code>', 'why (default: ITEM_LOGIN_REQUIRED)')
    .action((options: LoginOptions) => changeLogin('break', options))
  login('repair', 'repair a broken login').action((options: LoginOptions) => changeLogin('repair', options))
}

type LoginOptions = Common & TargetOptions & { readonly error?: string; readonly silent?: true }

async function changeLogin(verb: 'break' | 'repair', options: LoginOptions): Promise<void> {
  const target = await readTarget(options)
  const simulator = await openSimulator(options.simulatorUrl)
  const { item_id } = await newestItem(simulator, target)
  const { error: error_code, silent = false } = options
  const path = `items/${encodeURIComponent(item_id)}/${verb}`
  const item = await simulator.post<SimulatorItem>(path, verb === 'break' ? { error_code, silent } : { silent })
  if (options.json) return answerJson(item)
  answer(`${item.institution.name}, ${item.client_user_id}: ${item.error ?? 'healthy'}`)
}

async function newestItem(simulator: SimulatorClient, target: Readonly<Record<string, string>>) {
  const { items } = await simulator.get<{ items: readonly SimulatorItem[] }>('items', target)
  const item = items.at(-1)
  if (item === undefined) throw new UserError('No linked login matches. List them with `laurel simulator list`.')
  return item
}

async function list(options: Common & TargetOptions): Promise<void> {
  const filter = await readFilter(options)
  const simulator = await openSimulator(options.simulatorUrl)
  const { items: linked } = await simulator.get<{ items: readonly SimulatorItem[] }>('items', filter)
  const items = await addUserNames(linked)
  const { purchases } = await simulator.get<{ purchases: readonly SimulatorRow[] }>('purchases', filter)
  if (options.json) return answerJson({ items, purchases })
  showAll(items, purchases)
}

function readAmount(text: string): number {
  if (/^\d{1,9}(\.\d{1,2})?$/.test(text)) return Number(text)
  throw usage(`"${text}" is not an amount such as 42.50.`)
}
