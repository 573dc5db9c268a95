import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { tell } from '../ui/untold.ts'
import { useMutation } from './use-mutation.ts'

type Message = string | readonly [title: string, description: string | undefined]

type Change<Answer, Given> = {
  readonly act: (given: Given) => Promise<Answer>
  /** Called on success, such as to close the dialog. */
  readonly onDone?: (answer: Answer, given: Given) => unknown
  /** The toast shown on success. */
  readonly done?: Message | ((answer: Answer, given: Given) => Message)
  /** The queries to reload afterwards, by the name that their keys begin with, or by their keys. */
  readonly reload?: readonly (string | QueryKey | { readonly queryKey: QueryKey })[]
  readonly onError?: (error: Error) => unknown
}

/** A change that a form makes. The form shows its errors. */
export function useChange<Answer, Given = void>({ act, onDone, done, reload = [], onError }: Change<Answer, Given>) {
  const client = useQueryClient()
  return useMutation<Answer, Given>({
    mutationFn: act,
    meta: { shown: true },
    ...(onError === undefined ? {} : { onError }),
    onSuccess: async (answer, given) => {
      await onDone?.(answer, given)
      const message = typeof done === 'function' ? done(answer, given) : done
      if (message !== undefined) tell(...([message].flat() as [string, string | undefined]))
      await Promise.all(reload.map((what) => client.invalidateQueries({ queryKey: keyOf(what) })))
    },
  })
}

function keyOf(what: string | QueryKey | { readonly queryKey: QueryKey }): QueryKey {
  if (typeof what === 'string') return [what]
  return 'queryKey' in what ? what.queryKey : what
}
