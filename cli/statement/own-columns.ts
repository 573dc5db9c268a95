import type { DelimitedRow } from '../../src/platform/delimited.ts'
import { UserError } from '../errors.ts'
import { debitSignOf } from './amounts.ts'
import type { DebitSigns } from './direction.ts'
import type { ReadOptions } from './statement.ts'

/**
 * Reads debits and credits that have columns of their own. Some banks write a minus in them, and others do not, so the
 * more common sign is the one of the column. The rarer one takes a debit back; a credit that is taken back is a fault,
 * because it is no purchase.
 * @throws UserError if both signs of debits are equally common and the caller names none
 */
export function readOwnColumns(
  live: readonly DelimitedRow[],
  amountsOf: (line: DelimitedRow) => readonly (bigint | null)[],
  options: ReadOptions,
): DebitSigns {
  const [debits = [], credits = []] = [0, 1].map((at) => live.flatMap((line) => amountsOf(line)[at] || []))
  const hasBothSigns = new Set(debits.map((amount) => amount < 0n)).size === 2
  const debitSign = (hasBothSigns ? options.debits : undefined) ?? debitSignOf(debits)
  if (debitSign === null && debits.length > 0)
    throw new UserError(
      'The debit column has equally many amounts of each sign: add --debits negative or --debits positive.',
    )
  const creditSign = debitSignOf(credits) ?? 'positive'
  return {
    debits: 'own column',
    spentOf: (_line, out, back) => {
      if (back !== 0n && back < 0n !== (creditSign === 'negative'))
        return { fault: 'its credit has the opposite sign of other credits' }
      return (debitSign === 'negative' ? -out : out) - (back < 0n ? -back : back)
    },
  }
}
