import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import {
  findNetwork,
  listUnknownReports,
  presentReport,
  setLockDays,
  setNetworkSecret,
} from '../../src/affiliate/index.ts'
import { type By, withBy } from '../actor.ts'
import { wholeNumber } from '../options.ts'
import { readPiped } from '../secret.ts'
import { change, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

const SECRET_BYTES = 24
const SHOWN = 50
const SHOWN_MAX = 1_000

export function define(networks: Command): void {
  withBy(networks.command('secret'))
    .description("set the secret that a network's postbacks must carry, from stdin or generated")
    .argument('<network>', 'its name, as in POST /postbacks/{network}')
    .option('--json', 'print one JSON object')
    .action(setSecret)
  withBy(networks.command('lock-days'))
    .description('set within how many days of a sale the network approves or rejects it; default 90')
    .argument('<network>', 'its name, as in POST /postbacks/{network}')
    .argument('<days>', '1 to 365', Number)
    .action(setDays)
  networks
    .command('unknown')
    .description('list reported sales whose sub-id belongs to no click of the network; they earn nothing')
    .option('--network <name>', 'only of this network')
    .option('--limit <count>', `how many, the newest first (default: ${SHOWN})`, wholeNumber(SHOWN_MAX))
    .option('--json', 'print one JSON object')
    .action(listUnknown)
}

type List = { readonly network?: string; readonly limit?: number; readonly json?: true }

async function listUnknown({ network, limit = SHOWN, json }: List): Promise<void> {
  const filter = { network: network ?? null, before: null, limit }
  const reports = (await withStorage(({ db }) => listUnknownReports(db.reader, filter))).map(presentReport)
  if (json) return answerJson({ postbacks: reports })
  if (reports.length === 0) return note('Every reported sale belongs to a click.')
  const columns = ['received', 'network', 'sub_id', 'sent to', 'order', 'status', { right: 'amount' }]
  const rows = reports.map((one) => [
    ...[one.received_at.slice(0, 19).replace('T', ' '), one.network, one.sub_id, one.sent_to ?? 'unknown'],
    ...[one.order_id ?? one.transaction_id ?? '', one.status, `${one.amount ?? ''} ${one.currency}`],
  ])
  answerTable(columns, rows)
}

async function setDays(network: string, days: number, { by }: By): Promise<void> {
  await change(by, async (tx, _storage, now) => {
    const former = await findNetwork(tx, network)
    await setLockDays(tx, network, days, now)
    const before = former === null ? {} : { before: { lock_days: former.lockDays } }
    return { action: 'network.lock_days_set', subject: network, ...before, after: { lock_days: days }, result: null }
  })
  answer(`Sales reported by ${network} are expected to be decided within ${days} days.`)
}

async function setSecret(network: string, { by, json }: By & { readonly json?: true }): Promise<void> {
  const given = await readPiped()
  const secret = given ?? randomBytes(SECRET_BYTES).toString('base64url')
  await change(by, async (tx, { vault }, now) => {
    const former = await findNetwork(tx, network)
    await setNetworkSecret(tx, vault, network, secret, now)
    const before = former === null ? {} : { before: { secret_set_at: former.updatedAt.toISOString() } }
    return {
      action: 'network.secret_set',
      subject: network,
      ...before,
      after: { secret_set_at: now.toISOString() },
      result: null,
    }
  })
  // A secret that was piped in is not printed.
  if (json) return answerJson({ network, ...(given === null ? { secret } : {}) })
  if (given !== null) return answer(`The secret of ${network} is set.`)
  answer(`secret  ${secret}`)
  note('The secret is shown this once; the network sends it as X-Postback-Secret or as the parameter secret.')
}
