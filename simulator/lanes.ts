/** Runs the tasks of one lane one after another, and those of different lanes concurrently. */
type Lanes = {
  /** Runs the task when all earlier tasks of the lane are done. */
  enter<Result>(lane: string, task: () => Promise<Result>): Promise<Result>
}

export function openLanes(): Lanes {
  const ends = new Map<string, Promise<unknown>>()
  return {
    enter: (lane, task) => {
      const turn = (ends.get(lane) ?? Promise.resolve()).then(task)
      const end = turn.then(
        () => undefined,
        () => undefined,
      )
      ends.set(lane, end)
      end.then(() => ends.get(lane) === end && ends.delete(lane))
      return turn
    },
  }
}
