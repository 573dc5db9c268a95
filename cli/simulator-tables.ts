import type { SimulatorItem, SimulatorRow } from './simulator-client.ts'
import { answer, formatTable, note, shorten, styled } from './terminal.ts'

const MERCHANT_WIDTH = 32

/** Formats one row of a card on a single line. */
export function formatRow(row: SimulatorRow): string {
  const { name, amount, iso_currency_code, date } = row
  return `${date}  ${shorten(name, MERCHANT_WIDTH)}  ${amount.toFixed(2)} ${iso_currency_code}  ${describeKind(row)}`
}

/** Prints the logins with their accounts, then the rows, newest first as the simulator returns them. */
export function showAll(items: readonly SimulatorItem[], rows: readonly SimulatorRow[]): void {
  if (items.length === 0) note('Nothing is linked in the simulator. Get a URL for a user with `laurel simulator link`.')
  else for (const line of loginTable(items)) answer(line)
  if (items.length > 0 && rows.length === 0)
    note('There are no purchases yet. Make one with `laurel simulator purchase`.')
  if (rows.length > 0) for (const line of ['', ...rowTable(items, rows)]) answer(line)
}

function loginTable(items: readonly SimulatorItem[]): string[] {
  const titles = ['user', 'bank', 'login', 'item', 'account', 'account id']
  const cells = items.flatMap((item) =>
    item.accounts.map((account, index) => [
      ...(index === 0
        ? [item.publisher_user_id ?? item.client_user_id, item.institution.name, describeState(item), item.item_id]
        : ['', '', '', '']),
      `${account.name}${account.mask === null ? '' : ` ${account.mask}`}`,
      account.account_id,
    ]),
  )
  return formatTable(titles, cells)
}

function rowTable(items: readonly SimulatorItem[], rows: readonly SimulatorRow[]): string[] {
  const columns = ['date', 'merchant', '>amount', 'state', 'account', 'id']
  const names = new Map(items.flatMap(({ accounts }) => accounts.map(({ account_id, name }) => [account_id, name])))
  const cells = rows.map((row) => {
    const amount = `${row.amount.toFixed(2)} ${row.iso_currency_code}`
    const account = names.get(row.account_id) ?? ''
    return [row.date, shorten(row.name, MERCHANT_WIDTH), amount, describeKind(row), account, row.transaction_id]
  })
  return formatTable(columns, cells)
}

function describeKind({ amount, pending }: SimulatorRow): string {
  if (amount < 0) return 'refund'
  return pending ? styled('yellow', 'pending') : 'posted'
}

function describeState({ error }: SimulatorItem): string {
  return error === null ? styled('green', 'healthy') : styled('red', error)
}
