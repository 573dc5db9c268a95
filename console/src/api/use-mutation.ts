import { type UseMutationOptions, type UseMutationResult, useMutation as useQueryMutation } from '@tanstack/react-query'
import { useRef } from 'react'

type OneAtATime<Data, Given> = Omit<UseMutationResult<Data, Error, Given>, 'mutate' | 'mutateAsync'> & {
  readonly mutate: (given: Given) => void
}

/**
 * Wraps react-query's hook so that only one call runs at a time. A button is not disabled until React renders it again,
 * so the second click of a double click can come sooner, and it must not send money twice.
 */
export function useMutation<Data = unknown, Given = void>(
  options: UseMutationOptions<Data, Error, Given>,
): OneAtATime<Data, Given> {
  const isRunning = useRef(false)
  const { mutate, ...mutation } = useQueryMutation<Data, Error, Given>({
    ...options,
    onSettled: (...settled) => {
      isRunning.current = false
      return options.onSettled?.(...settled)
    },
  })
  const start = (given: Given): void => {
    if (isRunning.current) return
    isRunning.current = true
    mutate(given)
  }
  return { ...mutation, mutate: start }
}
