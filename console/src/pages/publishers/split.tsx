import { useQuery } from '@tanstack/react-query'
import { money } from '../../format.ts'
import { Sum } from '../../ui/facts.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { split } from './queries.ts'

type Props = { readonly fee: number; readonly share: number; readonly currency: string }

/** Shows how the service would split a purchase with the settings as typed. */
export function SplitExample({ fee, share, currency }: Props) {
  const { values, field } = useFields({ amount: '100', commission: '5' })
  const { amount, commission } = values
  const body = {
    fee_percent: fee,
    share_percent: share,
    commission_percent: Number(commission),
    amount: Number(amount),
    currency,
  }
  const isWhole = Object.values(body).every((value) => typeof value === 'string' || Number.isFinite(value))
  const { data, error } = useQuery({ ...split(body), enabled: isWhole && Number(amount) > 0 })
  return (
    <div className="rounded-md bg-sunken p-4">
      <h3 className="font-medium text-sm">For example</h3>
      <div className="mt-3 grid grid-cols-2 gap-3">
        <TextField {...field('amount')} label={`Purchase in ${currency}`} inputMode="decimal" />
        <TextField {...field('commission')} label="Commission, in percent" inputMode="decimal" />
      </div>
      <div aria-live="polite" className="mt-4">
        {error !== null ? (
          <p className="text-bad text-sm">{error.message}</p>
        ) : (
          data !== undefined && (
            <Sum
              rows={[
                ['The advertiser pays', money(data.commission, data.currency)],
                ['Service fee', money(-data.fee, data.currency)],
                ['Publisher’s share', money(-data.publisher_share, data.currency)],
                ['The user gets', money(data.user_cashback, data.currency)],
              ]}
            />
          )
        )}
      </div>
    </div>
  )
}
