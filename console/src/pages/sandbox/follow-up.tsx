import { post, type Schemas } from '../../api/client.ts'
import { useScopeRefusal } from '../../api/permissions.ts'
import { randomId } from '../../api/random-id.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'

type Transaction = Schemas['Transaction']
type Props = {
  readonly publisherId: string
  readonly transaction: Transaction
  readonly onChanged: (transaction: Transaction) => void
}

/** Reports the bank's next step for a purchase: clearing a hold, or refunding a cleared purchase. */
export function FollowUp({ publisherId, transaction, onChanged }: Props) {
  const { publisher_user_id, external_id, amount, refunded_amount, cleared_on } = transaction
  const refusal = useScopeRefusal(publisherId)('transactions:write')
  const kind: Schemas['SourceEventKind'] = cleared_on === null ? 'CLEARING' : 'REFUND'
  const report = useChange({
    act: () => {
      const body = {
        publisher_user_id,
        source: 'CARD' as const,
        kind,
        amount,
        external_id: `console-${randomId()}`,
        original_external_id: external_id,
      }
      return post('/transactions', { body, publisher: publisherId })
    },
    onDone: (answer) => onChanged(answer as Transaction),
    reload: ['/transactions'],
    isForm: false,
  })
  if (refunded_amount >= amount) return null
  return (
    <Button refusal={refusal} busy={report.isPending} onClick={() => report.mutate()}>
      {kind === 'CLEARING' ? 'Clear it' : 'Refund it'}
    </Button>
  )
}
