/** Runs the tasks of one key one after another, and those of different keys concurrently. */
type KeyedQueue = {
  /** Runs the task when all earlier tasks of the key are done. */
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
