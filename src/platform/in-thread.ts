import { once } from 'node:events'
import { type MessagePort, Worker } from 'node:worker_threads'

/**
 * Runs a module of ours in a worker thread and resolves to the message it posts. For files from outside: a large one
 * would hold the event loop while it is parsed. Rejects if the thread fails.
 */
export async function runInThread<Result>(
  module: URL,
  workerData: unknown,
  transferList: readonly MessagePort[] = [],
): Promise<Result> {
  const thread = new Worker(module, { workerData, transferList: [...transferList] })
  const [result] = (await once(thread, 'message')) as [Result]
  return result
}
