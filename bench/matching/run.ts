import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Measures, Task } from './measure.ts'

/** Runs the measurement in a separate process. */
export async function runMeasurement(task: Task): Promise<Measures> {
  const child = fork(new URL('measure.ts', import.meta.url), [JSON.stringify(task)], { execArgv: ['--expose-gc'] })
  const ended = once(child, 'exit')
  const answer = once(child, 'message').then(([measures]) => measures as Measures)
  const measures = await Promise.race([answer, ended.then(() => null)])
  await ended
  if (measures === null) throw new Error('the matching could not be measured; what was wrong stands above')
  return measures
}
