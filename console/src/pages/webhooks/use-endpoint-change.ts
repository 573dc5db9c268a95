import type { Schemas } from '../../api/client.ts'
import { desk } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { endpoints } from './queries.ts'

type Change<Answer> = {
  readonly publisherId: string
  readonly act: () => Promise<Answer>
  /** The toast shown on success. */
  readonly done: string
  /** Closes the dialog, which shows any error. If there is no dialog, a toast shows the error instead. */
  readonly onClose?: () => void
  /** Called with the publisher's current endpoints if somebody else has changed one. */
  readonly onStale?: (fresh: readonly Schemas['WebhookEndpoint'][]) => void
}

/** Changes an endpoint and refreshes all lists of endpoints. */
export function useEndpointChange<Answer>({ publisherId, act, done, onClose, onStale }: Change<Answer>) {
  return useChange({
    act,
    onDone: onClose,
    done,
    reload: ['/webhooks/endpoints', '/operator/endpoints', desk],
    onStale: [endpoints(publisherId), onStale] as const,
    isForm: onClose !== undefined,
  })
}
