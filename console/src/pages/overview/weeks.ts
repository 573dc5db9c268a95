import type { Schemas } from '../../api/client.ts'
import { day as dayText } from '../../format.ts'

type RewardDay = Schemas['RewardDay']
export const WEEKS = 12
const DAYS = 7
const DAY_MS = 86_400_000
const PARTS = ['began', 'matured', 'paid_out', 'reversed'] as const

/** Totals each of the last twelve weeks in one currency, oldest first, and labels each week with its first day. */
export function sumWeeks(days: readonly RewardDay[], currency: string, today: string) {
  const last = new Date(`${today}T00:00:00Z`).getTime()
  const weeks = Array.from({ length: WEEKS }, (_, index) => {
    const first = new Date(last - ((WEEKS - index) * DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
    return { first, values: PARTS.map(() => 0) }
  })
  for (const day of days) {
    if (day.currency !== currency) continue
    const age = Math.round((last - new Date(`${day.day}T00:00:00Z`).getTime()) / DAY_MS)
    const week = weeks[WEEKS - 1 - Math.floor(age / DAYS)]
    if (week !== undefined) week.values = week.values.map((sum, index) => sum + day[PARTS[index] ?? 'began'].amount)
  }
  return weeks.map(({ first, values }) => ({ label: dayText(first), values }))
}
