/** Tasks that go one after the other within a lane, and side by side with those of other lanes. */
type Lanes = {
  /** The task's turn comes when all that entered the lane before it are done. */
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
