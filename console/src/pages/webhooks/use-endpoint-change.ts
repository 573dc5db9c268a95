import { useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { desk, endpoints } from '../../api/queries.ts'
import { readIfStale } from '../../api/stale.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { tell } from '../../ui/untold.ts'

type Change<Answer> = {
  readonly publisherId: string
  readonly act: () => Promise<Answer>
  /** The toast shown on success. */
  readonly done: string
  /** Closes the dialog, which shows a refusal. Without a dialog, a toast shows it. */
  readonly onClose?: () => void
  /** Called with the publisher's current endpoints if somebody else has changed one. */
  readonly onStale?: (fresh: readonly Schemas['WebhookEndpoint'][]) => void
}

/** Changes an endpoint and refreshes all lists of endpoints. */
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
