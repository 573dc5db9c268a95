import type { Command } from 'commander'
import { listBudgetsOnDay, NEARLY_SPENT_PERCENT } from '../../src/catalog/allowances/index.ts'
import { createCatalogStore } from '../../src/catalog/catalog/index.ts'
import { type Day, toDay } from '../../src/platform/calendar.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { formatDecimal } from '../../src/platform/money.ts'
import { readDay } from '../options.ts'
import { withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, styled } from '../terminal.ts'

export function define(command: Command): void {
  command.option('--day <yyyy-MM-dd>', 'the day, in UTC; default: today', readDay).action(listBudgets)
}

async function listBudgets({ day, json }: { readonly day?: Day; readonly json?: true }): Promise<void> {
  const asked = day ?? toDay(systemClock.now(), 'UTC')
  const budgets = await withStorage(async ({ db }) => {
    const { offers } = await createCatalogStore(db).current()
    return (await listBudgetsOnDay(db.reader, asked)).map((state) => {
      const currency = offers.get(state.offerUid)?.currency ?? 'USD'
      const spent = state.amount - state.unspent
      return {
        offer_uid: state.offerUid,
        environment: state.environment,
        period: state.period,
        from: state.startsOn,
        amount: formatDecimal(state.amount, currency),
        spent: formatDecimal(spent, currency),
        percent: state.amount === 0n ? 100 : Number((spent * 100n) / state.amount),
      }
    })
  })
  if (json) return answerJson({ budgets })
  if (budgets.length === 0)
    return answer(`No offer has spent any of its daily, weekly, monthly or lifetime budget as of ${asked}.`)
  const columns = ['offer', 'environment', 'period', 'from', '>amount', '>spent', '>%']
  const rows = budgets
    .toSorted((a, b) => b.percent - a.percent)
    .map((one) => [one.offer_uid, one.environment, one.period, one.from, one.amount, one.spent, warned(one.percent)])
  answerTable(columns, rows)
}

function warned(percent: number): string {
  if (percent >= 100) return styled('red', String(percent))
  return percent >= NEARLY_SPENT_PERCENT ? styled('yellow', String(percent)) : String(percent)
}
