import { parentPort, workerData } from 'node:worker_threads'
import { readAnswers } from './read-answers.ts'
import type { AnswerFile } from './read-answers-in-thread.ts'

const { format, text } = workerData as AnswerFile
parentPort?.postMessage(readAnswers(format, text))
