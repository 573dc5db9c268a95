import type { Schemas } from '../../api/client.ts'
import { money, words } from '../../format.ts'
import { Sum } from '../../ui/facts.tsx'

type Props = {
  readonly arithmetic: Schemas['Decision']['arithmetic']
  readonly currency: string
  readonly reason: Schemas['Transaction']['status_reason']
}

/** The calculation from the purchase amount to the user's reward, to the cent. */
export function Arithmetic({ arithmetic, currency, reason }: Props) {
  if (arithmetic === null)
    return (
      <p className="mt-3 border-line border-t pt-3 text-ink-2 text-sm">
        {reason === null ? 'Nothing was computed.' : `Nothing was computed: ${words(reason).toLowerCase()}.`}
      </p>
    )
  const known = arithmetic as Readonly<Record<string, unknown>>
  const amount = (name: string, sign = 1) => money(sign * Number(known[name] ?? 0), currency)
  const rate = known['rate_percent']
  const gross = typeof rate === 'number' ? `Commission, ${rate}%` : 'Commission'
  const counted =
    known['eligible_amount'] === known['amount'] ? [] : [['Eligible amount', amount('eligible_amount')] as const]
  return (
    <div className="mt-4 border-line border-t pt-3">
      <Sum
        rows={[
          ['Purchase', amount('amount')],
          ...counted,
          [gross, amount('gross')],
          ['Service fee', amount('fee', -1)],
          ['Publisher’s share', amount('publisher_share', -1)],
          ['User', amount('user_reward')],
        ]}
      />
    </div>
  )
}
