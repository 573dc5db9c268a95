import { once } from 'node:events'
import { type MessagePort, Worker } from 'node:worker_threads'

/**
 * Runs one of our modules in a worker thread and resolves to the message it posts. Used for external files, because
 * parsing a large file would block the event loop. Rejects if the thread fails.
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
