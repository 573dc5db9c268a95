import type { DelimitedRow } from '../../src/platform/delimited.ts'
import { UserError } from '../errors.ts'
import { type DebitSign, debitSignOf } from './amounts.ts'
import { shown, valuesOf } from './row-kinds.ts'
import type { Manner, ReadOptions, TableLayout } from './statement.ts'
import { directionOf, type MoneyDirection, plainWord } from './words.ts'

type DebitSigns = {
  readonly debits: Manner['debits']
  /** What a row spent, from its amount as it was written. */
  readonly spentOf: (line: DelimitedRow, amount: bigint) => bigint | { readonly fault: string }
}

/**
 * Which way the money of each row went: by a column that says so, otherwise by the sign of its amount.
 * @throws UserError where neither tells
 */
export function openSigns(
  { titles, columns }: TableLayout,
  live: readonly DelimitedRow[],
  amountOf: (line: DelimitedRow) => bigint | null,
  options: ReadOptions,
): DebitSigns {
  if (columns.amount === null) return { debits: 'own column', spentOf: (_line, amount) => amount }
  const amounts = live.flatMap((line) => amountOf(line) ?? [])
  const told = directionsIn({ titles, columns }, live, options)
  if (told !== null) return byDirection(told, live, amountOf)
  const isUnsigned = amounts.length > 0 && amounts.every((amount) => amount >= 0n)
  const [kinds] = columns.directions
  if (isUnsigned && kinds !== undefined && options.debits === undefined && valuesOf(live, kinds).length > 0)
    throw unknownKinds(titles[kinds] ?? '', valuesOf(live, kinds))
  // Where no amount can be read, the faults of the rows say more than this question would.
  const guess = amounts.some((amount) => amount !== 0n) ? debitSignOf(amounts) : 'negative'
  const debits = options.debits ?? earningSign(columns.descriptions, live, amountOf) ?? guess
  if (debits === null)
    throw new UserError('The file does not tell debits from credits: add --debits negative or --debits positive.')
  return { debits, spentOf: (_line, amount) => (debits === 'negative' ? -amount : amount) }
}

function unknownKinds(title: string, values: readonly string[]): UserError {
  return new UserError(`No amount has a sign, and the column ${title} holds ${shown(values)}.`, {
    details: [
      `Name each word of it at which money came in, as in --money-in "${values[0] ?? ''}",`,
      `or add --column "ignore=${title}" if all rows are spending.`,
    ],
  })
}

/** The direction of each row by the first column whose words are all known, or that the caller explained. */
function directionsIn(
  { titles, columns }: TableLayout,
  live: readonly DelimitedRow[],
  { moneyIn, columns: named }: ReadOptions,
): ((line: DelimitedRow) => MoneyDirection | null) | null {
  const [first] = columns.directions
  if (moneyIn !== undefined) {
    if (first === undefined)
      throw new UserError('Say which column --money-in is about, as in --column "direction=TITLE".')
    const words = new Set(moneyIn.map(plainWord))
    return ({ cells }) => (words.has(plainWord(cells[first] ?? '')) ? 'credit' : 'debit')
  }
  const known = columns.directions.find(
    (at) => valuesOf(live, at).length > 0 && valuesOf(live, at).every((value) => directionOf(value) !== null),
  )
  if (known !== undefined) return ({ cells }) => directionOf(cells[known] ?? '')
  if (named?.direction !== undefined && first !== undefined)
    throw unknownKinds(titles[first] ?? '', valuesOf(live, first))
  return null
}

/** Amounts beside a direction have no sign, or a sign that says the same; another one is a contradiction. */
function byDirection(
  directionIn: (line: DelimitedRow) => MoneyDirection | null,
  live: readonly DelimitedRow[],
  amountOf: (line: DelimitedRow) => bigint | null,
): DebitSigns {
  const isUnsigned = live.every((line) => (amountOf(line) ?? 0n) >= 0n)
  const asDebits = live.map((line) => {
    const amount = amountOf(line) ?? 0n
    return directionIn(line) === 'debit' ? amount : -amount
  })
  const sign: DebitSign = debitSignOf(asDebits) ?? 'negative'
  return {
    debits: 'direction column',
    spentOf: (line, amount) => {
      const direction = directionIn(line)
      if (direction === null) return { fault: 'it does not say whether it is a debit or a credit' }
      const isSpent = direction === 'debit'
      const isAgreed = amount === 0n || isUnsigned || amount < 0n === ((sign === 'negative') === isSpent)
      if (!isAgreed) return { fault: `it says ${direction}, but its amount has the sign of the other direction` }
      const size = amount < 0n ? -amount : amount
      return isSpent ? size : -size
    },
  }
}

// Nobody pays these by card. "Payment" and "transfer" go both ways.
const EARNED =
  /\b(payroll|salary|wages?|pension|direct dep(?:osit)?|dividends?|gehalt|lohn|nomina|sueldo|salaire|stipendio)\b/i

/** The sign of debits as pay shows it: in a file with more credits than debits the commoner sign would mislead. */
function earningSign(
  descriptions: readonly number[],
  live: readonly DelimitedRow[],
  amountOf: (line: DelimitedRow) => bigint | null,
): DebitSign | null {
  const earned = live.filter(({ cells }) => descriptions.some((at) => EARNED.test(cells[at] ?? '')))
  const signs = new Set(earned.map((line) => (amountOf(line) ?? 0n) > 0n))
  const [isPositive] = signs
  const hasBoth = new Set(live.map((line) => (amountOf(line) ?? 0n) > 0n)).size === 2
  return signs.size === 1 && hasBoth ? (isPositive === true ? 'negative' : 'positive') : null
}
