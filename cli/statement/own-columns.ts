import type { DelimitedRow } from '../../src/platform/text/delimited.ts'
import { UserError } from '../errors.ts'
import { detectDebitSign } from './amounts.ts'
import type { DebitSigns } from './direction.ts'
import type { ReadOptions } from './statement.ts'

/**
 * Reads debits and credits from separate columns. Because only some banks write a minus sign in them, the more common
 * sign is taken as the normal one. In the debit column, the other sign reverses a debit. In the credit column, it is an
 * error, because a reversed credit is not a purchase.
 * @throws UserError if both signs are equally common among debits and the caller specifies none
 */
export function readOwnColumns(
  live: readonly DelimitedRow[],
  readAmounts: (line: DelimitedRow) => readonly (bigint | null)[],
  options: ReadOptions,
): DebitSigns {
  const [debits = [], credits = []] = [0, 1].map((at) => live.flatMap((line) => readAmounts(line)[at] || []))
  const hasBothSigns = new Set(debits.map((amount) => amount < 0n)).size === 2
  const debitSign = (hasBothSigns ? options.debits : undefined) ?? detectDebitSign(debits)
  if (debitSign === null && debits.length > 0)
    throw new UserError(
      'The debit column has as many positive as negative amounts. Add --debits negative or --debits positive.',
    )
  const creditSign = detectDebitSign(credits) ?? 'positive'
  return {
    debits: 'own column',
    computeSpent: (_line, out, back) => {
      if (back !== 0n && back < 0n !== (creditSign === 'negative'))
        return { fault: 'its credit has the opposite sign of other credits' }
      return (debitSign === 'negative' ? -out : out) - (back < 0n ? -back : back)
    },
  }
}
