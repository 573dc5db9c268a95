/** A queue that runs tasks with the same key sequentially and tasks with different keys concurrently. */
type KeyedQueue = {
  /** Runs the task after all earlier tasks with the same key. */
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>
}

export function openKeyedQueue(): KeyedQueue {
  const ends = new Map<string, Promise<unknown>>()
  return {
    run: (key, task) => {
      const turn = (ends.get(key) ?? Promise.resolve()).then(task)
      const end = turn.then(
        () => undefined,
        () => undefined,
      )
      ends.set(key, end)
      end.then(() => ends.get(key) === end && ends.delete(key))
      return turn
    },
  }
}
