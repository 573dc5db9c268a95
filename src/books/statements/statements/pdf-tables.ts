import type { StatementDocument } from './document.ts'

type Column = { readonly name: string; readonly width: number; readonly isAmount: boolean }
/** A row. `isPart` marks it as part of another row's total. */
type TableRow = { readonly cells: readonly string[]; readonly isPart?: boolean }
export type PdfTable = {
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[]
}

const text = (name: string, width: number): Column => ({ name, width, isAmount: false })
const amount = (name: string, width = 75): Column => ({ name, width, isAmount: true })

/** Returns the nonempty tables of a statement. */
export function buildSections(statement: StatementDocument): PdfTable[] {
  return [balances(statement), movements(statement), payments(statement), ageing(statement), open(statement)].filter(
    ({ rows }) => rows.length > 0,
  )
}

function balances({ balances }: StatementDocument): PdfTable {
  const columns = [text('Account', 195), ...['Opening', 'Increase', 'Decrease', 'Closing'].map((name) => amount(name))]
  const rows = balances.map(({ account, detail, opening, increase, decrease, closing }) => ({
    cells: [detail ?? inWords(account), opening, increase, decrease, closing],
    isPart: detail !== null,
  }))
  return { title: 'Balances', columns, rows }
}

function movements({ movements }: StatementDocument): PdfTable {
  const columns = [text('Movement', 315), amount('Count', 80), amount('Amount', 100)]
  const rows = movements.map(({ movement, detail, count, amount }) => ({
    cells: [detail ?? inWords(movement), String(count), amount],
    isPart: detail !== null,
  }))
  return { title: 'Movements', columns, rows }
}

function payments({ payments }: StatementDocument): PdfTable {
  const columns = [
    text('Payment', 155),
    text('Value date', 70),
    text('', 70),
    amount('Amount', 70),
    text('  Settles', 130),
  ]
  const rows = payments.flatMap((payment) => {
    const settled = payment.matched.map(({ month, amount }) => `  ${month}: ${amount}`)
    const credit = Number(payment.unmatched) === 0 ? [] : [`  credit: ${payment.unmatched}`]
    const taken = payment.reverses === null ? [] : ['  reverses a payment']
    const [first = '', ...others] = [...settled, ...credit, ...taken]
    const { external_ref, value_date, direction, amount } = payment
    return [
      { cells: [external_ref, value_date, direction, amount, first] },
      ...others.map((line) => ({ cells: ['', '', '', '', line] })),
    ]
  })
  return { title: 'Payments', columns, rows }
}

function ageing({ ageing }: StatementDocument): PdfTable {
  const columns = ['Current', '1-30 days', '31-60 days', '61-90 days', 'Over 90 days', 'Credit'].map((name) =>
    amount(name, 82.5),
  )
  if (ageing === null) return { title: 'Ageing', columns, rows: [] }
  const { current, days_1_30, days_31_60, days_61_90, days_over_90, credit } = ageing
  return {
    title: 'Ageing',
    columns,
    rows: [{ cells: [current, days_1_30, days_31_60, days_61_90, days_over_90, credit] }],
  }
}

function open({ ageing }: StatementDocument): PdfTable {
  const rows = (ageing?.open ?? []).map(({ month, amount }) => ({ cells: [month, amount] }))
  return { title: 'Open months', columns: [text('Month', 395), amount('Open', 100)], rows }
}

function inWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
