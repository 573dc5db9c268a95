import { openWorkplace } from '../src/main.ts'
import { readConfig } from '../src/platform/config.ts'

export type Workplace = Awaited<ReturnType<typeof openWorkplace>>

/** Runs a command's work against the database of this installation, beside a running service or without one. */
export async function withWorkplace<T>(work: (workplace: Workplace) => Promise<T>): Promise<T> {
  const workplace = await openWorkplace(readConfig())
  try {
    return await work(workplace)
  } finally {
    await workplace.close()
  }
}
