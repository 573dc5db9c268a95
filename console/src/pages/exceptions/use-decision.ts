import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { desk } from '../../api/queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { tell } from '../../ui/toast.tsx'

type Decision<Given> = {
  readonly act: (given: Given) => Promise<unknown>
  /** The list that the item is removed from. */
  readonly list: QueryKey
  /** The toast shown on success. */
  readonly done: string
  readonly onClose: () => void
}

/** Decides on an item that waits for a person, and refreshes its list. */
export function useDecision<Given = void>({ act, list, done, onClose }: Decision<Given>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    meta: { shown: true },
    onSuccess: async () => {
      onClose()
      tell(done)
      await Promise.all([
        client.invalidateQueries({ queryKey: list }),
        client.invalidateQueries({ queryKey: desk.queryKey }),
      ])
    },
  })
}
