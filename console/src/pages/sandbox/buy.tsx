import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { actingFor, api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { useScopeRefusalOf } from '../../api/permissions.ts'
import { listedBrands } from '../../api/queries.ts'
import { randomId } from '../../api/random-id.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { FormError } from '../../ui/page/entrance.tsx'

type Transaction = Schemas['Transaction']
type Props = { readonly publisherId: string; readonly onBought: (transaction: Transaction) => void }

const KINDS = [
  ['CLEARING', 'Paid: the bank has cleared it'],
  ['AUTHORIZATION', 'Only authorized: the bank holds the amount'],
] as const
// The number of merchants to suggest, each worded as on a bank statement.
const SUGGESTED = 12

export function Buy({ publisherId, onBought }: Props) {
  const client = useQueryClient()
  const refusal = useScopeRefusalOf(publisherId)('transactions:write')
  const list = useId()
  const [user, setUser] = useState('')
  const [merchant, setMerchant] = useState('')
  const [amount, setAmount] = useState('40')
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>('CLEARING')
  const { data: offered } = useQuery({
    ...listedBrands(publisherId, { user, text: merchant, page: 0 }),
    enabled: user !== '',
    retry: false,
  })
  const buy = useMutation({
    mutationFn: () => {
      const body = {
        publisher_user_id: user,
        source: 'CARD' as const,
        kind,
        external_id: `console-${randomId()}`,
        merchant_descriptor: merchant,
        amount: Number(amount),
      }
      return bodyOf(api.POST('/transactions', { body, ...actingFor(publisherId) }))
    },
    meta: { shown: true },
    onSuccess: async (answer) => {
      onBought(answer as Transaction)
      await client.invalidateQueries({ queryKey: ['transactions', publisherId] })
    },
  })
  const fields = buy.error instanceof Refused ? buy.error.fields : {}
  return (
    <Card>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          buy.mutate()
        }}
      >
        <div className="space-y-4 p-5">
          <h2 className="font-medium text-base">Buy something</h2>
          <TextField
            name="publisher_user_id"
            label="User"
            value={user}
            onChange={setUser}
            error={fields['publisher_user_id']}
            help="As the publisher names them, such as ada of the sample data."
            required
          />
          <TextField
            name="merchant_descriptor"
            label="Merchant"
            value={merchant}
            onChange={setMerchant}
            error={fields['merchant_descriptor']}
            help="As it appears on a card statement, such as CHIPOTLE 1542 AUSTIN TX."
            list={list}
            required
          />
          <datalist id={list}>
            {offered?.content.slice(0, SUGGESTED).map(({ brand_uid, name }) => (
              <option key={brand_uid} value={name.toUpperCase()} />
            ))}
          </datalist>
          <TextField
            name="amount"
            label="Amount"
            inputMode="decimal"
            value={amount}
            onChange={setAmount}
            error={fields['amount']}
            required
          />
          <SelectField
            name="kind"
            label="State"
            value={kind}
            options={KINDS}
            onChange={(value) => setKind(KINDS.find(([known]) => known === value)?.[0] ?? kind)}
          />
          {Object.keys(fields).length === 0 && <FormError error={buy.error} />}
        </div>
        <div className="flex justify-end border-line border-t px-5 py-3">
          <Button type="submit" tone="primary" refusal={refusal} busy={buy.isPending}>
            Buy
          </Button>
        </div>
      </form>
    </Card>
  )
}
