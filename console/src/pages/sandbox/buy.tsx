import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { randomId } from '../../api/random-id.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { LISTED_BRANDS } from '../preview/queries.ts'

type Transaction = Schemas['Transaction']
type Props = { readonly publisherId: string; readonly onBought: (transaction: Transaction) => void }

const KINDS = [
  ['CLEARING', 'Paid: the bank has cleared it'],
  ['AUTHORIZATION', 'Only authorized: the bank holds the amount'],
] as const
// The number of merchants to suggest, each worded as on a bank statement.
const SUGGESTED = 12

export function Buy({ publisherId, onBought }: Props) {
  const refusal = useScopeRefusal(publisherId)('transactions:write')
  const list = useId()
  const { values, field } = useFields({
    publisher_user_id: '',
    merchant_descriptor: '',
    amount: '40',
    kind: 'CLEARING' as (typeof KINDS)[number][0],
  })
  const { publisher_user_id: user, merchant_descriptor: text, amount } = values
  const { data: offered } = useQuery({
    ...LISTED_BRANDS.read(publisherId, { publisher_user_id: user, search_text: text || undefined }),
    enabled: user !== '',
    retry: false,
  })
  const buy = useChange({
    act: () => {
      const stamp = { source: 'CARD' as const, external_id: `console-${randomId()}` }
      const body = { ...values, ...stamp, amount: Number(amount) }
      return post('/transactions', { body, publisher: publisherId })
    },
    onDone: (answer) => onBought(answer as Transaction),
    reload: ['/transactions'],
  })
  return (
    <Card>
      <Form error={buy.error} onSubmit={() => buy.mutate()}>
        <div className="space-y-4 p-5">
          <h2 className="font-medium text-base">Buy something</h2>
          <TextField
            {...field('publisher_user_id')}
            label="User"
            help="The publisher’s id for the user, such as ada in the sample data."
            required
          />
          <TextField
            {...field('merchant_descriptor')}
            label="Merchant"
            help="As it appears on a card statement, such as CHIPOTLE 1542 AUSTIN TX."
            list={list}
            required
          />
          <datalist id={list}>
            {offered?.content.slice(0, SUGGESTED).map(({ brand_uid, name }) => (
              <option key={brand_uid} value={name.toUpperCase()} />
            ))}
          </datalist>
          <TextField {...field('amount')} label="Amount" inputMode="decimal" required />
          <SelectField {...field('kind')} label="State" options={KINDS} />
          <FormError error={buy.error} />
        </div>
        <div className="flex justify-end border-line border-t px-5 py-3">
          <Button type="submit" tone="primary" refusal={refusal} busy={buy.isPending}>
            Buy
          </Button>
        </div>
      </Form>
    </Card>
  )
}
