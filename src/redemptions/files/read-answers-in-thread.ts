import { runInThread } from '../../platform/in-thread.ts'
import type { PayoutAnswers } from './payout-answers.ts'
import type { PayoutFormat } from './payout-file.ts'

export type AnswerFile = { readonly format: PayoutFormat; readonly text: string }

/** Reads the answer of a bank: a megabyte of XML takes half a second, during which no other request would be answered. */
export async function readAnswersInThread(file: AnswerFile): Promise<PayoutAnswers> {
  return runInThread(new URL('./answers-thread.ts', import.meta.url), file)
}
