import type { ComparedSpan, Comparison, Listener, RowDifference, Values } from '../../src/books/reconciliation/index.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { shell } from '../shell.ts'
import { answer, formatCount, styled } from '../terminal.ts'

type Printer = Listener & { readonly end: (differences: number) => void }

/** Prints one JSON line per difference as it is found, one per comparison, and one with the total. */
export function createJsonPrinter({ publisher, days }: ComparedSpan): Printer {
  const line = (value: object): unknown => shell().stdout.write(`${JSON.stringify(value)}\n`)
  const names = ({ left, right }: Comparison) => ({ left_book: left, right_book: right })
  return {
    found: (comparison, difference) => line({ type: 'difference', ...names(comparison), ...difference }),
    compared: (comparison, totals) => line({ type: 'comparison', ...names(comparison), ...totals }),
    skipped: (comparison, reason) => line({ type: 'skipped', ...names(comparison), reason }),
    end: (differences) => line({ type: 'total', publisher_id: encodeId('pub', publisher.id), ...days, differences }),
  }
}

// Caps memory use: differences are held until the summary has been printed, and a broken ledger could have millions.
const SHOWN_MAX = 100_000
const TITLE_WIDTH = 36

/** Prints one line per comparison, then one per difference. */
export function createTextPrinter({ publisher, days }: ComparedSpan): Printer {
  const shown: (readonly [Comparison, RowDifference])[] = []
  const title = ({ left, right }: Comparison): string => `${left} ↔ ${right}`.padEnd(TITLE_WIDTH)
  const period = days.from === days.to ? days.from : `${days.from} to ${days.to}`
  answer(`${publisher.name}, ${period} (${publisher.timeZone})`)
  return {
    found: (...one) => {
      if (shown.length < SHOWN_MAX) shown.push(one)
    },
    compared: (comparison, { rows, waiting, differences }) => {
      const found = differences === 0 ? 'equal' : styled('red', formatCount(differences, 'difference'))
      const rest = waiting === 0 ? '' : `, ${waiting} waiting`
      answer(`${title(comparison)}${formatCount(rows, 'row').padStart(12)}   ${found}${rest}`)
    },
    skipped: (comparison, reason) => answer(`${title(comparison)}${''.padStart(12)}   not compared: ${reason}`),
    end: (differences) => {
      if (differences === 0) return answer('No difference.')
      answer('')
      for (const [comparison, difference] of shown) answer(describeDifference(comparison, difference))
      if (differences > shown.length)
        answer(`… and ${differences - shown.length} more. Use --json to print all of them.`)
      answer(styled('red', `${formatCount(differences, 'difference')}. Follow docs/runbooks/reconciliation.md.`))
    },
  }
}

function describeDifference({ left, right, hint }: Comparison, difference: RowDifference): string {
  return `${difference.key}: ${left} ${said(difference.left)}, ${right} ${said(difference.right)} (${hint})`
}

function said(values: Values | null): string {
  if (values === null) return 'has nothing'
  const texts = Object.entries(values).map(([name, value]) => `${name} ${value}`)
  return texts.length === 0 ? 'says nothing' : `says ${texts.join(', ')}`
}
