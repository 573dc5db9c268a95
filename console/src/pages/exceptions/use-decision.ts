import type { QueryKey } from '@tanstack/react-query'
import { desk } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'

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
  return useChange({
    act: act,
    onDone: onClose,
    done: done,
    reload: [list, desk],
  })
}
