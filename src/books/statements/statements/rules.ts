import type { Account } from '../../../ledger/index.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { formatDecimal, toMinor } from '../../../platform/money.ts'
import { charge, type Matched, nothingOpen, type Open, pay, sumByAge } from './ageing-rules.ts'
import type {
  ActivityLine,
  Ageing,
  BalanceLine,
  MovementLine,
  PaymentLine,
  StatementDocument,
  StatementPayment,
} from './document.ts'
import { DEBIT_ACCOUNTS, MOVEMENTS, type Movement, STATEMENT_ACCOUNTS } from './movement-rules.ts'

/** Identifies the statement: the party, month and currency. */
type StatementHead = Pick<
  StatementDocument,
  'statement_id' | 'kind' | 'party' | 'environment' | 'currency' | 'month' | 'ends_at' | 'cut_at'
>
export type Previous = { readonly document: StatementDocument; readonly sha256: string }
type Names = {
  readonly publisherName: (id: PublisherId) => string
  readonly paymentName: (id: string) => string
}

/**
 * Returns a month's statement, built from the previous one and the bookings, or null if nothing was booked or carried
 * over. Drawing statements up month by month yields the same documents as rebuilding them all from the journals.
 */
export function buildStatement(
  head: StatementHead,
  previous: Previous | null,
  lines: readonly ActivityLine[],
  payments: readonly StatementPayment[],
  names: Names,
): StatementDocument | null {
  const carried = previous?.document.balances ?? []
  if (lines.length === 0 && carried.every(({ closing }) => parseMinor(closing, head) === 0n)) return null
  const movements = buildMovements(head, lines, names)
  const aged = head.kind === 'advertiser' ? computeAgeing(head, previous, lines, payments) : null
  return {
    ...head,
    previous_sha256: previous?.sha256 ?? null,
    balances: buildBalances(head, carried, lines, names),
    movements,
    payments: payments.map((payment, index) => paymentLine(head, payment, aged?.matched[index], names)),
    ageing: aged?.ageing ?? null,
    control: {
      total: text(
        lines.reduce((sum, { amount }) => sum + absolute(amount), 0n),
        head,
      ),
      journals: lines.reduce((sum, line) => sum + line.journals, 0),
      postings: lines.reduce((sum, line) => sum + line.count, 0),
    },
  }
}

function buildBalances(
  head: StatementHead,
  carried: readonly BalanceLine[],
  lines: readonly ActivityLine[],
  { publisherName }: Names,
): BalanceLine[] {
  return Object.entries(STATEMENT_ACCOUNTS[head.kind]).flatMap(([name, by]) => {
    const account = name as Account
    const own = lines.filter((line) => line.account === account)
    const before = carried.filter((line) => line.account === account)
    const pickDetail = (line: ActivityLine) => (by === 'publisher' ? publisherName(line.publisherId) : line.owner)
    const details = by === null ? [] : [...new Set([...before.map(({ detail }) => detail), ...own.map(pickDetail)])]
    const shown = details.filter((detail): detail is string => detail !== null).sort()
    return [null, ...shown].flatMap((detail) => {
      const of = own.filter((line) => detail === null || pickDetail(line) === detail)
      const opening = parseMinor(before.find((line) => line.detail === detail)?.closing ?? '0', head)
      return of.length === 0 && opening === 0n && detail !== null
        ? []
        : [balanceLine(head, account, detail, opening, of)]
    })
  })
}

function balanceLine(
  head: StatementHead,
  account: Account,
  detail: string | null,
  opening: bigint,
  lines: readonly ActivityLine[],
): BalanceLine {
  const sign = DEBIT_ACCOUNTS.has(account) ? 1n : -1n
  const amounts = lines.map(({ amount }) => sign * amount)
  const increase = amounts.reduce((sum, amount) => (amount > 0n ? sum + amount : sum), 0n)
  const decrease = amounts.reduce((sum, amount) => (amount < 0n ? sum - amount : sum), 0n)
  return {
    account,
    detail,
    opening: text(opening, head),
    increase: text(increase, head),
    decrease: text(decrease, head),
    closing: text(opening + increase - decrease, head),
  }
}

function buildMovements(head: StatementHead, lines: readonly ActivityLine[], { publisherName }: Names): MovementLine[] {
  return MOVEMENTS[head.kind].flatMap((movement) => {
    const own = lines.filter((line) => matches(movement, line))
    if (own.length === 0) return []
    const sign = movement.side.endsWith('debit') ? 1n : -1n
    const toLine = (detail: string | null, of: readonly ActivityLine[]): MovementLine => ({
      movement: movement.name,
      detail,
      count: of.reduce((sum, { count }) => sum + count, 0),
      amount: text(
        of.reduce((sum, { amount }) => sum + sign * amount, 0n),
        head,
      ),
    })
    const total = toLine(null, own)
    if (movement.by === undefined) return [total]
    const pickDetail = (line: ActivityLine) =>
      movement.by === 'publisher' ? publisherName(line.publisherId) : line.owner
    const parts = Object.entries(Object.groupBy(own, pickDetail)).sort(([one], [other]) => (one < other ? -1 : 1))
    return [total, ...parts.map(([detail, of = []]) => toLine(detail, of))]
  })
}

function matches({ kind, account, side }: Movement, line: ActivityLine): boolean {
  const isSide = side.startsWith('net') || line.amount > 0n === (side === 'debit')
  return line.kind === kind && line.account === account && isSide
}

function computeAgeing(
  head: StatementHead,
  previous: Previous | null,
  lines: readonly ActivityLine[],
  payments: readonly StatementPayment[],
): { readonly ageing: Ageing; readonly matched: readonly Matched[] } {
  const net = lines.reduce((sum, { kind, amount }) => (kind === 'payment' ? sum : sum + amount), 0n)
  const charged = charge(getOpen(previous?.document ?? null), head.month, net)
  let { open } = charged
  const matched = payments.map(({ amount }) => {
    const paid = pay(open, head.month, amount)
    open = paid.open
    return paid
  })
  const [current, upTo30, upTo60, upTo90, over90] = sumByAge(open, head.month).map((amount) => text(amount, head))
  const ageing = {
    open: open.months.map(({ month, amount }) => ({ month, amount: text(amount, head) })),
    credit: text(open.credit, head),
    credit_used: text(charged.creditUsed, head),
    current: current ?? '',
    days_1_30: upTo30 ?? '',
    days_31_60: upTo60 ?? '',
    days_61_90: upTo90 ?? '',
    days_over_90: over90 ?? '',
  }
  return { ageing, matched }
}

/** Returns the amounts that an advertiser's statement leaves open; none if there is no statement. */
export function getOpen(document: StatementDocument | null): Open {
  if (document === null || document.ageing === null) return nothingOpen
  const months = document.ageing.open.map(({ month, amount }) => ({ month, amount: parseMinor(amount, document) }))
  return { months, credit: parseMinor(document.ageing.credit, document) }
}

/** Returns an account's closing balance in a statement. */
export function getClosing(document: StatementDocument, account: Account): bigint {
  const line = document.balances.find((one) => one.account === account && one.detail === null)
  return line === undefined ? 0n : parseMinor(line.closing, document)
}

function paymentLine(
  head: StatementHead,
  payment: StatementPayment,
  { matched, unmatched }: Matched = { matched: [], unmatched: 0n },
  { publisherName, paymentName }: Names,
): PaymentLine {
  return {
    payment_id: paymentName(payment.paymentId),
    publisher_id: publisherName(payment.publisherId),
    external_ref: payment.externalRef,
    value_date: payment.valueDate,
    direction: payment.direction,
    amount: text(absolute(payment.amount), head),
    reverses: payment.reverses === null ? null : paymentName(payment.reverses),
    matched: matched.map(({ month, amount }) => ({ month, amount: text(amount, head) })),
    unmatched: text(unmatched, head),
  }
}

function text(minor: bigint, { currency }: Pick<StatementHead, 'currency'>): string {
  return formatDecimal(minor, currency)
}

function parseMinor(amount: string, { currency }: Pick<StatementHead, 'currency'>): bigint {
  const minor = toMinor(amount, currency)
  if (minor === null) throw new Error(`${amount} is not a valid statement amount in ${currency}`)
  return minor
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
