import type { Command } from 'commander'
import {
  answerPayoutFileAs,
  createPayoutFileAs,
  findPayer,
  findPayerFault,
  OPEN_REDEMPTIONS,
  type OpenRedemption,
  openPayoutFileAs,
  PAYOUT_FILE_LIST,
  PAYOUT_FORMATS,
  type Payer,
  type PayoutFormat,
  readAnswerTo,
  type StoredFile,
  setPayerAs,
} from '../../src/payouts/redemptions/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { formatDecimal } from '../../src/platform/money.ts'
import { readList } from '../../src/tenants/access/index.ts'
import { getPublisher, resolveCurrency } from '../../src/tenants/publishers/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { type Encoded, readText, withEncoding } from '../files.ts'
import { parseChoice, readDay, readPublisherId, usage } from '../options.ts'
import { shell } from '../shell.ts'
import { changeAs, withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, formatCount, note } from '../terminal.ts'

// More than anyone will read through. The oldest come first.
const SHOWN_MAX = 500

export function define(payouts: Command): void {
  defineCommand(payouts, 'list', 'list open redemptions, oldest first')
    .option('--publisher <id>', "only this publisher's (pub_…)", readPublisherId)
    .option(
      '--status <status>',
      'requested (needs approval), approved or sent (default: requested)',
      parseChoice('requested', 'approved', 'sent'),
    )
    .action(list)
  payerCommand(payouts)
  fileCommands(payouts)
}

function payerCommand(payouts: Command): void {
  defineChange(payouts, 'payer', "show or change the payer: the operating company's details at its bank")
    .option('--name <name>', 'its name')
    .option('--nacha-company-id <id>', 'ten characters that the bank assigns, for NACHA files')
    .option('--nacha-odfi <routing>', 'routing number of the bank that sends the payments')
    .option(
      '--nacha-destination <routing>',
      'routing number of the bank that receives the file (default: the same bank)',
    )
    .option('--nacha-destination-name <name>', "that bank's name")
    .option('--nacha-origin <id>', 'nine or ten characters that the bank assigns')
    .option('--iban <iban>', 'account that pain.001 files pay from')
    .option('--bic <bic>', "that account's bank")
    .action(payer)
}

function fileCommands(payouts: Command): void {
  defineCommand(payouts, 'files', 'list payout files, newest first')
    .option('--publisher <id>', "only this publisher's (pub_…)", readPublisherId)
    .action(files)
  defineChange(payouts, 'file', 'create a file of approved redemptions for the bank; they count as sent from then on')
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .requiredOption('--format <format>', 'nacha, pain.001 or csv', parseChoice(...PAYOUT_FORMATS))
    .option('--currency <code>', "currency of the redemptions (default: the publisher's first currency)")
    .option(
      '--pay-on <day>',
      'when the money should arrive (from today to a year from now; default: the next business day)',
      readDay,
    )
    .action(makeFile)
  defineChange(payouts, 'content', 'print the content of a file, with account numbers')
    .argument('<file>', 'the file (pof_…)')
    .action(content)
  withEncoding(defineChange(payouts, 'answer', "read the bank's response to a file: NACHA returns, pain.002 or CSV"))
    .argument('<file>', 'the file (pof_…)')
    .argument('<answer>', "path of the bank's response")
    .action(applyAnswer)
  defineChange(payouts, 'settle', 'record everything else in a file as paid, for banks that report only failures')
    .argument('<file>', 'the file (pof_…)')
    .action((file: string, options: By & { readonly json?: true }) => applyAnswer(file, null, options))
}

type Listed = { readonly publisher?: PublisherId; readonly json?: true }

async function list({
  publisher,
  status = 'requested',
  json,
}: Listed & { readonly status?: 'requested' | 'approved' | 'sent' }): Promise<void> {
  const query = { status, limit: SHOWN_MAX, ...(publisher && { publisher_id: encodeId('pub', publisher) }) }
  const { rows } = await withStorage(({ db }) =>
    readList<OpenRedemption>(db.reader, OPEN_REDEMPTIONS, query, 'created_at'),
  )
  const redemptions = rows.map((row) => ({
    redemption_id: encodeId('rdm', row.redemptionId),
    publisher_id: encodeId('pub', row.publisherId),
    environment: row.environment,
    method: row.method,
    amount: formatDecimal(row.amount, row.currency),
    currency: row.currency,
    approvals_needed: row.approvalsNeeded,
    created_at: row.createdAt.toISOString(),
  }))
  if (json) return answerJson({ redemptions })
  if (redemptions.length === 0) return note(`There are no ${status} redemptions.`)
  const columns = ['redemption', 'publisher', 'environment', 'method', '>amount', 'since']
  answerTable(
    columns,
    redemptions.map((one) => [
      ...[
        one.redemption_id,
        one.publisher_id,
        one.environment,
        one.method,
        `${one.amount} ${one.currency}`,
        one.created_at,
      ],
    ]),
  )
}

type PayerOptions = {
  readonly name?: string
  readonly nachaCompanyId?: string
  readonly nachaOdfi?: string
  readonly nachaDestination?: string
  readonly nachaDestinationName?: string
  readonly nachaOrigin?: string
  readonly iban?: string
  readonly bic?: string
}

async function payer({ json, by, ...given }: PayerOptions & By & { readonly json?: true }): Promise<void> {
  const before = await withStorage(({ db }) => findPayer(db.reader))
  const present = Object.keys(given).length === 0 ? before : changed(before, given)
  if (present === null) return note('No payer is configured yet. See --help for what a bank needs.')
  if (present !== before) await changeAs(by, (tx, { actor }) => setPayerAs(tx, systemClock, present, actor))
  if (json) return answerJson(present)
  answer(`name      ${present.name}`)
  for (const format of PAYOUT_FORMATS)
    answer(`${format.padEnd(8)}  ${findPayerFault(format, present) ?? 'files can be created'}`)
}

/**
 * Applies the given options to the payer and leaves the rest of it unchanged.
 * @throws UserError if a payout format cannot use the result
 */
function changed(before: Payer | null, given: PayerOptions): Payer {
  const nacha = before?.nacha ?? null
  const [companyId, odfiRouting, immediateOrigin] = [
    given.nachaCompanyId ?? nacha?.companyId,
    given.nachaOdfi ?? nacha?.odfiRouting,
    given.nachaOrigin ?? nacha?.immediateOrigin,
  ]
  const iban = given.iban?.replaceAll(' ', '').toUpperCase() ?? before?.account?.iban
  const after: Payer = {
    name: given.name ?? before?.name ?? '',
    nacha:
      companyId === undefined || odfiRouting === undefined || immediateOrigin === undefined
        ? nacha
        : {
            companyId,
            odfiRouting,
            immediateOrigin,
            immediateDestination: given.nachaDestination ?? nacha?.immediateDestination ?? odfiRouting,
            immediateDestinationName: given.nachaDestinationName ?? nacha?.immediateDestinationName ?? '',
          },
    account: iban === undefined ? null : { iban, bic: given.bic?.toUpperCase() ?? before?.account?.bic ?? null },
  }
  const touched = (['nacha', 'pain.001'] as const).filter((format) => concerns(format, given))
  const fault = touched.map((format) => findPayerFault(format, after)).find((one) => one !== null)
  if (fault != null) throw usage(`Nothing was changed: ${fault}.`)
  return after
}

function concerns(format: Exclude<PayoutFormat, 'csv'>, given: PayerOptions): boolean {
  const prefix = format === 'nacha' ? /^nacha/ : /^(iban|bic)$/
  return Object.keys(given).some((name) => prefix.test(name))
}

async function files({ publisher, json }: Listed): Promise<void> {
  const query = { limit: SHOWN_MAX, ...(publisher && { publisher_id: encodeId('pub', publisher) }) }
  const { rows } = await withStorage(({ db }) =>
    readList<StoredFile>(db.reader, PAYOUT_FILE_LIST, query, '-created_at'),
  )
  const shown = rows.map((file) => ({
    file_id: encodeId('pof', file.fileId),
    publisher_id: encodeId('pub', file.publisherId),
    format: file.format,
    entries: file.entries,
    total: formatDecimal(file.total, file.currency),
    currency: file.currency,
    pay_on: file.payOn,
    created_at: file.createdAt.toISOString(),
  }))
  if (json) return answerJson({ files: shown })
  if (shown.length === 0) return note('There are no payout files yet.')
  const columns = ['file', 'format', '>entries', '>total', 'pay on', 'made']
  answerTable(
    columns,
    shown.map((one) => [
      ...[one.file_id, one.format, String(one.entries), `${one.total} ${one.currency}`, one.pay_on, one.created_at],
    ]),
  )
}

type MakeFile = {
  readonly publisher: PublisherId
  readonly format: PayoutFormat
  readonly currency?: string
  readonly payOn?: string
  readonly json?: true
}

async function makeFile({ publisher: publisherId, format, currency, payOn, json, by }: MakeFile & By): Promise<void> {
  const { file, closed, left } = await changeAs(by, async (tx, { actor, vault }) => {
    const publisher = await getPublisher(tx, publisherId)
    const asked = { format, currency: resolveCurrency(publisher, currency), payOn: payOn ?? null, by: actor }
    return createPayoutFileAs(tx, { vault, clock: systemClock }, publisher, asked)
  })
  const fileId = encodeId('pof', file.fileId)
  const total = formatDecimal(file.total, file.currency)
  const unpaid = left.map(({ redemptionId, reason }) => ({ redemption_id: encodeId('rdm', redemptionId), reason }))
  if (json)
    return answerJson({
      file_id: fileId,
      entries: file.entries,
      total,
      pay_on: file.payOn,
      pay_on_closed: closed,
      left: unpaid,
    })
  answer(`${fileId}: ${formatCount(file.entries, 'payout')}, ${total} ${file.currency}, to arrive on ${file.payOn}`)
  if (closed !== null) note(`${file.payOn} is ${closed}, not a business day. Banks pay on the next one.`)
  for (const one of unpaid) note(`${one.redemption_id} was left out: ${one.reason}.`)
  note(`Print its content with: ./laurel payouts content ${fileId} > FILE`)
}

async function content(file: string, { by }: By): Promise<void> {
  const text = await changeAs(by, (tx, { actor, vault }) =>
    openPayoutFileAs(tx, { vault, clock: systemClock }, { fileUid: file, by: actor }),
  )
  shell().stdout.write(text)
}

async function applyAnswer(
  file: string,
  path: string | null,
  { json, by, encoding }: By & Encoded & { readonly json?: true },
): Promise<void> {
  const text = path === null ? null : await readText(path, encoding)
  const { contradicted, unknown, changes, skipped, ...counts } = await withChanges(by, null, async ({ db }, actor) => {
    const answers = text === null ? null : await readAnswerTo(db.reader, file, text)
    return db.transaction((tx) => answerPayoutFileAs(tx, systemClock, { fileUid: file, answers, by: actor }))
  })
  const wrong = contradicted.map(({ redemptionId, status }) => ({
    redemption_id: encodeId('rdm', redemptionId),
    status,
  }))
  if (wrong.length > 0) shell().exitCode = 1
  const asked = changes.map(({ redemption, ...change }) => ({
    redemption_id: encodeId('rdm', redemption.redemptionId),
    svc_user_id: encodeId('usr', redemption.userId),
    ...change,
  }))
  if (json) return answerJson({ ...counts, contradicted: wrong, unknown, skipped, changes: asked })
  answer(
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  )
  for (const one of wrong) note(`${one.redemption_id} is ${one.status}, which contradicts the bank's response.`)
  for (const one of asked)
    note(
      `${one.redemption_id}: the bank asks to correct the account of ${one.svc_user_id} (${one.code}). ` +
        `${one.meaning ?? ''}`,
    )
  for (const { line, message } of skipped) note(`line ${line} is not about a payout: ${message}`)
  for (const reference of unknown) note(`${reference} is not in this file, or has a different amount there.`)
}
