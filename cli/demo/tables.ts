import type { StatementLine } from '../../src/ledger/index.ts'
import { formatDecimal } from '../../src/platform/money.ts'
import { formatTable, shorten, styled } from '../terminal.ts'

export type ShownDecision = {
  readonly matching: { readonly method: string; readonly brand_uid: string | null }
  readonly candidates: readonly {
    readonly offer_uid: string
    readonly eligible: boolean
    readonly user_cashback: number
    readonly rules: readonly {
      readonly rule: string
      readonly value: string | null
      readonly bound: string | null
      readonly passed: boolean
    }[]
  }[]
  readonly chosen: string | null
  readonly arithmetic: {
    readonly eligible_amount: string
    readonly rate_percent: number | null
    readonly fixed_amount: string | null
    readonly gross: string
    readonly fee: string
    readonly publisher_share: string
    readonly user_reward: string
  } | null
}

const CELL_WIDTH = 30

/** Lists each rule that was checked, with the actual value and the required bound. */
export function formatDecision(decision: ShownDecision): string[] {
  const columns = ['rule', 'seen', 'required', '']
  return decision.candidates.flatMap((candidate) => {
    const rows = candidate.rules.map(({ rule, value, bound, passed }) => [
      ...[rule, shorten(value ?? '–', CELL_WIDTH), shorten(bound ?? '–', CELL_WIDTH)],
      passed ? styled('green', '✓') : styled('red', '✗'),
    ])
    const verdict =
      candidate.offer_uid === decision.chosen
        ? styled('green', 'pays')
        : candidate.eligible
          ? 'eligible'
          : 'not eligible'
    return [`offer ${candidate.offer_uid}: ${verdict}`, ...formatTable(columns, rows)]
  })
}

/** Shows how the reward was computed from the purchase amount, to the cent. */
export function formatArithmetic({ arithmetic }: ShownDecision): string {
  if (arithmetic === null) return 'nothing to compute'
  const { eligible_amount, rate_percent, fixed_amount, gross, fee, publisher_share, user_reward } = arithmetic
  const rate = rate_percent === null ? `fixed ${fixed_amount}` : `${rate_percent}%`
  const parts = `${fee} fee − ${publisher_share} publisher's share`
  return `${eligible_amount} at ${rate} = ${gross} gross − ${parts} = ${user_reward} for the user`
}

/** Shows debits and credits as booked. Each journal sums to zero. */
export function formatPostings(lines: readonly StatementLine[]): string[] {
  const columns = ['journal', 'account', '>debit', '>credit']
  const rows = lines.map((line, index) => {
    const amount = formatDecimal(line.amount < 0n ? -line.amount : line.amount, line.currency)
    const first = lines[index - 1]?.journalId !== line.journalId
    return [first ? line.kind : '', line.account, line.amount > 0n ? amount : '', line.amount < 0n ? amount : '']
  })
  return formatTable(columns, rows)
}

export type ShownStatementLine = {
  readonly effective_at: string
  readonly description: string
  readonly changes: { readonly pending: number; readonly available: number; readonly held: number }
}

/** Shows how each statement line changes the user's balances, leaving unchanged ones blank. */
export function formatStatement(lines: readonly ShownStatementLine[]): string[] {
  const columns = ['day', 'what happened', '>pending', '>available', '>held']
  const shown = (change: number): string => {
    if (change === 0) return ''
    return `${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(2)}`
  }
  const rows = lines.map(({ effective_at, description, changes: { pending, available, held } }) => [
    ...[effective_at.slice(0, 10), description, shown(pending), shown(available), shown(held)],
  ])
  return formatTable(columns, rows)
}
