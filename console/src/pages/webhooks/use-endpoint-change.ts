import { useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { desk, endpoints } from '../../api/queries.ts'
import { readIfStale } from '../../api/stale.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { tell } from '../../ui/toast.tsx'

type Change<Answer> = {
  readonly publisherId: string
  readonly act: () => Promise<Answer>
  /** The toast when it is done. */
  readonly done: string
  /** Closes the dialog, which shows a refusal; without a dialog, a toast does. */
  readonly onClose?: () => void
  /** Somebody else has changed an endpoint: these are the publisher's now. */
  readonly onStale?: (fresh: readonly Schemas['WebhookEndpoint'][]) => void
}

/** Changes an endpoint, and refreshes all lists of endpoints. */
export function useEndpointChange<Answer>({ publisherId, act, done, onClose, onStale }: Change<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    meta: { shown: onClose !== undefined },
    onError: async (error) => {
      const fresh = await readIfStale(client, endpoints(publisherId), error)
      if (fresh !== undefined) onStale?.(fresh)
    },
    onSuccess: async () => {
      onClose?.()
      tell(done)
      const changed = [endpoints(publisherId).queryKey, ['all-endpoints'], desk.queryKey]
      await Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
