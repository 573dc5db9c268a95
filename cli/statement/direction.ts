import type { DelimitedRow } from '../../src/platform/text/delimited.ts'
import { UserError } from '../errors.ts'
import { type DebitSign, detectDebitSign, hasPlus, readMark } from './amounts.ts'
import { formatValues, listValues } from './row-kinds.ts'
import type { Manner, ReadOptions, TableLayout } from './statement.ts'
import { type MoneyDirection, normalizeWord, parseDirection } from './words.ts'

export type DebitSigns = {
  readonly debits: Manner['debits']
  /**
   * Computes the amount spent in a row from its amounts as written: either a single amount, or a debit and a credit.
   */
  readonly computeSpent: (line: DelimitedRow, amount: bigint, credit: bigint) => bigint | { readonly fault: string }
}

/**
 * Determines the direction of each row from its direction column, from marks such as CR, or otherwise from the sign of
 * its only amount.
 * @throws UserError if none of these determines it
 */
export function chooseSigns(
  { titles, columns }: TableLayout,
  live: readonly DelimitedRow[],
  readAmount: (line: DelimitedRow) => bigint | null,
  options: ReadOptions,
): DebitSigns {
  const amounts = live.flatMap((line) => readAmount(line) ?? [])
  const stated = directionsIn({ titles, columns }, live, options)
  if (stated !== null) return byDirection(stated, live, readAmount)
  const marked = directionsMarked({ titles, columns }, live, readAmount, options)
  if (marked !== null) return { ...byDirection(marked, live, readAmount), debits: 'marked amounts' }
  const isUnsigned = amounts.length > 0 && amounts.every((amount) => amount >= 0n)
  const [kinds] = columns.directions
  if (isUnsigned && kinds !== undefined && options.debits === undefined && listValues(live, kinds).length > 0)
    throw unknownKinds('No amount has a sign', titles[kinds] ?? '', listValues(live, kinds))
  if (isUnsigned && options.debits === undefined && live.some((line) => isPlus(line, columns, options)))
    throw unknownPlus()
  // If no amount is readable, the row errors are more helpful than this error.
  const hasAmounts = amounts.some((amount) => amount !== 0n)
  const debits = options.debits ?? (hasAmounts ? guessDebits(columns.descriptions, live, readAmount) : 'negative')
  if (debits === null)
    throw new UserError(
      'The file does not distinguish debits from credits. Add --debits negative or --debits positive.',
    )
  // A column with unknown words does not determine the direction, but its known words must agree with the signs.
  const isContradicted = (at: number) =>
    live.some((line) => {
      const direction = parseDirection(line.cells[at] ?? '')
      return direction !== null && !AGREEMENTS[debits](direction, readAmount(line) ?? 0n)
    })
  const contradicted = columns.directions.find(isContradicted)
  if (contradicted !== undefined)
    throw unknownKinds(
      'The signs of amounts are inconclusive',
      titles[contradicted] ?? '',
      listValues(live, contradicted),
    )
  return { debits, computeSpent: (_line, amount) => (debits === 'negative' ? -amount : amount) }
}

function isPlus({ cells }: DelimitedRow, { amount }: TableLayout['columns'], { currency }: ReadOptions): boolean {
  return amount !== null && hasPlus(cells[amount] ?? '', currency)
}

function unknownPlus(): UserError {
  return new UserError('No amount has a minus, but some have a plus.', {
    details: ['Add --money-in "+" if a plus means money in, or --debits positive if all rows are spending.'],
  })
}

function unknownKinds(reason: string, title: string, values: readonly string[]): UserError {
  const credit = values.find((value) => parseDirection(value) === 'credit')
  const example = credit ?? values.find((value) => parseDirection(value) === null) ?? ''
  return new UserError(`${reason}, and the column ${title} contains ${formatValues(values)}.`, {
    details: [
      `Specify each of its words that means money in, as in --money-in "${example}",`,
      `or add --column "ignore=${title}" if all rows are spending.`,
    ],
  })
}

function contradicting(titles: readonly string[]): UserError {
  return new UserError(
    `The columns ${titles.join(' and ')} contradict each other: some row is both a debit and a credit.`,
    {
      details: [
        `Ignore those that do not distinguish debits from credits, as in --column "ignore=${titles[0] ?? ''}".`,
      ],
    },
  )
}

/**
 * Reads the direction of each row from the columns whose words are all known, or from the column whose words the caller
 * defined.
 * @throws UserError if they contradict each other
 */
function directionsIn(
  { titles, columns }: TableLayout,
  live: readonly DelimitedRow[],
  options: ReadOptions,
): ((line: DelimitedRow) => MoneyDirection | null) | null {
  const { moneyIn, columns: named } = options
  const [first] = columns.directions
  if (moneyIn !== undefined) {
    const words = new Set(moneyIn.map(normalizeWord))
    if (first === undefined && words.has('+')) return (line) => (isPlus(line, columns, options) ? 'credit' : 'debit')
    if (first === undefined)
      throw new UserError('Specify the column that --money-in refers to, as in --column "direction=TITLE".')
    return ({ cells }) => (words.has(normalizeWord(cells[first] ?? '')) ? 'credit' : 'debit')
  }
  const known = columns.directions.filter(
    (at) => listValues(live, at).length > 0 && listValues(live, at).every((value) => parseDirection(value) !== null),
  )
  const readSides = ({ cells }: DelimitedRow) => new Set(known.flatMap((at) => parseDirection(cells[at] ?? '') ?? []))
  if (live.some((line) => readSides(line).size > 1)) throw contradicting(known.map((at) => titles[at] ?? ''))
  if (known.length > 0) return (line) => [...readSides(line)][0] ?? null
  if (named?.direction !== undefined && first !== undefined)
    throw unknownKinds('Some of its words are unknown', titles[first] ?? '', listValues(live, first))
  return null
}

/**
 * Reads the direction of each row from a mark such as CR after its amount. If only credits are marked, all other rows
 * are debits.
 */
function directionsMarked(
  { columns: { amount: column } }: TableLayout,
  live: readonly DelimitedRow[],
  readAmount: (line: DelimitedRow) => bigint | null,
  { currency }: ReadOptions,
): ((line: DelimitedRow) => MoneyDirection | null) | null {
  const markIn = ({ cells }: DelimitedRow) => (column === null ? null : readMark(cells[column] ?? '', currency))
  const marks = new Set(live.map(markIn))
  const [hasCredits, hasDebits] = [marks.has('credit'), marks.has('debit')]
  if (!hasCredits && !hasDebits) return null
  const unmarked = hasCredits && hasDebits ? null : hasCredits ? 'debit' : 'credit'
  return (line) => markIn(line) ?? ((readAmount(line) ?? 0n) < 0n ? 'debit' : unmarked)
}

type SignAgreement = (direction: MoneyDirection, amount: bigint) => boolean

/** The ways an amount's sign can relate to the direction its row states. */
const AGREEMENTS: Readonly<Record<'unsigned' | DebitSign, SignAgreement>> = {
  unsigned: (_direction, amount) => amount >= 0n,
  negative: (direction, amount) => amount === 0n || amount < 0n === (direction === 'debit'),
  positive: (direction, amount) => amount === 0n || amount < 0n === (direction === 'credit'),
}

/**
 * Reads each row's direction from its column. Amounts must either be unsigned or have a sign that agrees with the
 * column, depending on which holds for most rows. Any other row contradicts the column.
 */
function byDirection(
  directionIn: (line: DelimitedRow) => MoneyDirection | null,
  live: readonly DelimitedRow[],
  readAmount: (line: DelimitedRow) => bigint | null,
): DebitSigns {
  const countAgreeing = (agrees: SignAgreement) =>
    live.filter((line) => agrees(directionIn(line) ?? 'credit', readAmount(line) ?? 0n)).length
  const { unsigned, negative, positive } = AGREEMENTS
  const [agrees = unsigned] = [unsigned, negative, positive].toSorted((a, b) => countAgreeing(b) - countAgreeing(a))
  return {
    debits: 'direction column',
    computeSpent: (line, amount) => {
      const direction = directionIn(line)
      if (direction === null) return { fault: 'it does not say whether it is a debit or a credit' }
      if (!agrees(direction, amount))
        return { fault: `it says ${direction}, but its amount has the sign of the other direction` }
      const size = amount < 0n ? -amount : amount
      return direction === 'debit' ? size : -size
    },
  }
}

// Other words are too ambiguous: "payment" and "transfer" go both ways, "Pension" is a German guesthouse, and
// "Dividend" is a lender.
const EARNED = /\b(payroll|salary|wages?|direct dep(?:osit)?|gehalt|lohn|nomina|sueldo|salaire|stipendio)\b/i
// Expenses whose descriptions mention salaries, such as a payroll service's fees.
const NOT_EARNED = /\b(fees?|charges?|tax(?:es)?|invoice|finance|loan)\b/i
// A difference of one purchase might be chance.
const NEAR_TIE = 1

/**
 * Guesses the sign of debits, which is the more common one. If the two are about equally common, a salary breaks the
 * tie, because its sign marks credits.
 * @throws UserError if a salary has the sign of most amounts
 */
function guessDebits(
  descriptions: readonly number[],
  live: readonly DelimitedRow[],
  readAmount: (line: DelimitedRow) => bigint | null,
): DebitSign | null {
  const amounts = live.flatMap((line) => readAmount(line) || [])
  const isSalary = (text: string) => EARNED.test(text) && !NOT_EARNED.test(text)
  const salaries = live.filter(({ cells }) => descriptions.some((at) => isSalary(cells[at] ?? '')))
  const credits = detectDebitSign(salaries.flatMap((line) => readAmount(line) ?? []))
  if (credits === null) return detectDebitSign(amounts)
  const alike = amounts.filter((amount) => amount < 0n === (credits === 'negative')).length
  const others = amounts.length - alike
  if (others === 0 || alike > others + NEAR_TIE)
    throw new UserError(
      `Line ${salaries[0]?.line} looks like a salary, but has the sign of most amounts. Add --debits negative or ` +
        '--debits positive.',
    )
  return credits === 'negative' ? 'positive' : 'negative'
}
