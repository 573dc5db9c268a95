import type { Command } from 'commander'
import { pino } from 'pino'
import { createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import {
  assignRefundAs,
  dismissRefundAs,
  UNMATCHED_REFUND,
  UNMATCHED_REFUNDS,
} from '../../src/purchases/linker/index.ts'
import { readList } from '../../src/tenants/access/index.ts'
import { readName } from '../actor.ts'
import { defineCommand } from '../define.ts'
import { readPublisherId } from '../options.ts'
import { shell } from '../shell.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

// More than anyone can decide in a day. Those that have waited longest come first.
const SHOWN_MAX = 500

export function define(refunds: Command): void {
  defineCommand(refunds, 'unmatched', 'list refunds without a purchase, longest waiting first')
    .option('--publisher <id>', "only this publisher's (pub_…)", readPublisherId)
    .action(list)
  decision(defineCommand(refunds, 'assign', 'assign a refund to its purchase and take back the reward'))
    .requiredOption('--purchase <transaction_uid>', 'the purchase (txn_…)')
    .action(assign)
  decision(defineCommand(refunds, 'dismiss', 'decide that a refund belongs to no rewarded purchase')).action(dismiss)
}

function decision(command: Command): Command {
  return command
    .argument('<refund>', "the refund's id, as listed by `refunds unmatched`")
    .requiredOption('--by <who>', 'name of the person who decides, stored with the decision', readName)
    .option('--reason <text>', 'the reason, stored with the decision')
    .option('--json', 'print one JSON object')
}

async function list({ publisher, json }: { readonly publisher?: PublisherId; readonly json?: true }): Promise<void> {
  const shown = await withStorage(async ({ db }) => {
    const query = { limit: SHOWN_MAX, ...(publisher === undefined ? {} : { publisher_id: encodeId('pub', publisher) }) }
    return (await readList(db.reader, UNMATCHED_REFUNDS, query, 'since')).rows.map(UNMATCHED_REFUND.present)
  })
  if (json) return answerJson({ refunds: shown })
  if (shown.length === 0) return note('There are no unmatched refunds.')
  const columns = ['refund', 'user', 'date', '>amount', 'merchant']
  const rows = shown.map((one) => [
    ...[one.refund_id, one.publisher_user_id, one.date],
    ...[`${one.amount.toFixed(2)} ${one.currency}`, one.merchant],
  ])
  answerTable(columns, rows)
}

type Decided = { readonly by: string; readonly reason?: string; readonly json?: true }

async function assign(refundId: string, { purchase, ...options }: Decided & { purchase: string }): Promise<void> {
  const { by, reason, json } = options
  const decided = { refundId, purchaseUid: purchase, reason: reason ?? null }
  await changeAs(by, (tx, { actor, db }) => assignRefundAs(tx, createDeps(db), { ...decided, by: actor }))
  if (json) return answerJson({ refund_id: refundId, transaction_uid: purchase, by })
  answer(`The refund ${refundId} was assigned to ${purchase}.`)
}

async function dismiss(refundId: string, { by, reason, json }: Decided): Promise<void> {
  const decided = { refundId, reason: reason ?? null }
  await changeAs(by, (tx, { actor, db }) => dismissRefundAs(tx, createDeps(db), { ...decided, by: actor }))
  if (json) return answerJson({ refund_id: refundId, dismissed: true, by })
  answer(`The refund ${refundId} was dismissed.`)
}

function createDeps(db: Database) {
  return { clock: systemClock, catalog: createCatalogStore(db), log: pino({ level: 'warn' }, shell().stderr) }
}
