import { randomBytes } from 'node:crypto'
import {
  type FormatName,
  findNetwork,
  listNetworks,
  type NetworkState,
  type Overrides,
  setFormat,
  setLockDays,
  setNetworkSecret,
  setWindowDays,
} from '../../src/sources/affiliate/index.ts'
import type { By } from '../actor.ts'
import { UserError } from '../errors.ts'
import { readText } from '../files.ts'
import { readPiped } from '../secret.ts'
import { change, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, formatCount, note, shorten } from '../terminal.ts'

const SECRET_BYTES = 24
const ERROR_WIDTH = 60

export async function listAll({ json }: { readonly json?: true }): Promise<void> {
  const networks = (await withStorage(({ db }) => listNetworks(db.reader))).map(present)
  if (json) return answerJson({ networks })
  if (networks.length === 0) return note('There are no networks yet. Create one with `laurel networks secret NETWORK`.')
  const columns = [...['network', 'format', '>lock', '>window', 'fetched', 'last success', '>unread'], 'last error']
  const rows = networks.map((one) => [
    ...[one.network, one.format, `${one.lock_days} d`, `${one.window_days} d`],
    one.every_minutes === null ? 'no' : `every ${one.every_minutes} min`,
    formatMinute(one.last_success_at),
    one.unread_rows === 0 ? '' : formatCount(one.unread_rows, 'row'),
    shorten(`${formatMinute(one.last_error_at)} ${one.last_error ?? ''}`.trim(), ERROR_WIDTH),
  ])
  answerTable(columns, rows)
}

/** Shows only the host of the report address, because its parameters may contain credentials. */
function present(state: NetworkState) {
  return {
    network: state.network,
    format: state.format,
    fields: state.fields,
    lock_days: state.lockDays,
    window_days: state.windowDays,
    report_host: state.url === null ? null : new URL(state.url).host,
    every_minutes: state.everyMinutes,
    next_fetch_at: state.nextAt?.toISOString() ?? null,
    last_success_at: state.lastSuccessAt?.toISOString() ?? null,
    unread_rows: state.unreadRows,
    last_error: state.lastError,
    last_error_at: state.lastErrorAt?.toISOString() ?? null,
  }
}

function formatMinute(instant: string | null): string {
  return instant?.slice(0, 16).replace('T', ' ') ?? ''
}

type JsonOption = { readonly json?: true }

export async function setDays(network: string, days: number, { by, json }: By & JsonOption): Promise<void> {
  await change(by, async (tx, _storage, now) => {
    const former = await findNetwork(tx, network)
    await setLockDays(tx, network, days, now)
    const before = former === null ? {} : { before: { lock_days: former.lockDays } }
    return { action: 'network.lock_days_set', subject: network, ...before, after: { lock_days: days }, result: null }
  })
  if (json) return answerJson({ network, lock_days: days })
  answer(`${network} is expected to decide reported sales within ${formatCount(days, 'day')}.`)
}

export async function setWindow(network: string, days: number, { by, json }: By & JsonOption): Promise<void> {
  await change(by, async (tx, _storage, now) => {
    const former = await findNetwork(tx, network)
    await setWindowDays(tx, network, days, now)
    const before = former === null ? {} : { before: { window_days: former.windowDays } }
    return { action: 'network.window_set', subject: network, ...before, after: { window_days: days }, result: null }
  })
  if (json) return answerJson({ network, window_days: days })
  answer(`Sales reported by ${network} are credited to clicks up to ${formatCount(days, 'day')} earlier.`)
}

type FieldsOption = By & JsonOption & { readonly fields?: string }

export async function setFieldsAndFormat(
  network: string,
  format: FormatName,
  { by, fields: file, json }: FieldsOption,
): Promise<void> {
  const fields = file === undefined ? {} : fieldsIn(await readText(file))
  await change(by, async (tx, _storage, now) => {
    const former = await findNetwork(tx, network)
    await setFormat(tx, network, { format, fields }, now)
    const before = former === null ? {} : { before: { format: former.format, fields: former.fields } }
    return { action: 'network.format_set', subject: network, ...before, after: { format, fields }, result: null }
  })
  if (json) return answerJson({ network, format, fields })
  answer(`${network} is expected to use the format ${format}.`)
}

function fieldsIn(text: string): Overrides {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Overrides
  } catch {
    // Invalid JSON gets the same error as JSON that is not an object.
  }
  throw new UserError('The --fields file must contain a JSON object.')
}

export async function setSecret(network: string, { by, json }: By & JsonOption): Promise<void> {
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
  // A secret read from stdin is not printed back.
  if (json) return answerJson({ network, ...(given === null ? { secret } : {}) })
  if (given !== null) return answer(`The secret for ${network} was set.`)
  answer(`secret  ${secret}`)
  note(
    'The secret is shown only this once. The network sends it in the X-Postback-Secret header or the secret parameter.',
  )
}
