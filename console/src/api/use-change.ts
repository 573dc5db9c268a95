import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { tell } from '../ui/untold.ts'
import { Refused } from './client.ts'
import { keyOfPath } from './query.ts'
import { useMutation } from './use-mutation.ts'

type Message = string | readonly [title: string, description: string | undefined]
/** All queries of a path and of the paths below it, or a single query. */
export type Reloaded = `/${string}` | { readonly queryKey: QueryKey }

export type Change<Answer, Given, Fresh, Key extends QueryKey> = {
  readonly act: (given: Given) => Promise<Answer>
  /** Called on success, for example to close the dialog. */
  readonly onDone?: ((answer: Answer, given: Given) => unknown) | undefined
  /** The toast shown on success. */
  readonly done?: Message | ((answer: Answer, given: Given) => Message)
  /** The query whose data the response replaces. */
  readonly keeps?: { readonly queryKey: QueryKey }
  /** The queries to reload afterwards. `/` reloads everything. */
  readonly reload?: readonly Reloaded[]
  /**
   * Reloads what somebody else has changed in the meantime, so that the next save is a deliberate overwrite. If the
   * reload fails, the next save is rejected again.
   */
  readonly onStale?: readonly [
    query: FetchQueryOptions<Fresh, Error, Fresh, Key>,
    rebase?: ((fresh: Fresh) => unknown) | undefined,
  ]
  /** False if no form shows the error, in which case a toast does. */
  readonly isForm?: boolean
}

/** Makes the change that a form or a button triggers. */
export function useChange<Answer, Given = void, Fresh = unknown, Key extends QueryKey = QueryKey>(
  change: Change<Answer, Given, Fresh, Key>,
) {
  const { act, onDone, done, keeps, reload = [], onStale, isForm = true } = change
  const client = useQueryClient()
  const reloadQueries = useReload()
  return useMutation<Answer, Given>({
    mutationFn: act,
    meta: { shown: isForm },
    onError: async (error) => {
      if (onStale === undefined || !(error instanceof Refused) || error.code !== 'changed_meanwhile') return
      const [query, rebase] = onStale
      await client.fetchQuery({ ...query, staleTime: 0 }).then(rebase, () => undefined)
    },
    onSuccess: async (answer, given) => {
      await onDone?.(answer, given)
      if (keeps !== undefined) client.setQueryData(keeps.queryKey, answer)
      const message = typeof done === 'function' ? done(answer, given) : done
      if (message !== undefined) tell(...([message].flat() as [string, string | undefined]))
      await reloadQueries(...reload)
    },
  })
}

/** Returns a function that reloads queries. */
export function useReload(): (...reloaded: readonly Reloaded[]) => Promise<unknown> {
  const client = useQueryClient()
  return (...reloaded) =>
    Promise.all(
      reloaded.map((one) =>
        client.invalidateQueries({ queryKey: typeof one === 'string' ? keyOfPath(one) : one.queryKey }),
      ),
    )
}
