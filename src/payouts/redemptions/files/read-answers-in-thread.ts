import { runInThread } from '../../../platform/in-thread.ts'
import type { PayoutAnswers } from './payout-answers.ts'
import type { PayoutFormat } from './payout-file.ts'

export type AnswerFile = { readonly format: PayoutFormat; readonly text: string }

/** Reads a bank's response in a worker thread. A megabyte of XML would block the event loop for half a second. */
export async function readAnswersInThread(file: AnswerFile): Promise<PayoutAnswers> {
  return runInThread(new URL('./answers-thread.ts', import.meta.url), file)
}
