/** Replaces `node:test` while rules are mutated. Collects the tests so that they can run many times. */

type Body = () => unknown
export type Outcome = { readonly id: string; readonly timeMs: number; readonly failure: string | null }
type Choice = {
  readonly only?: readonly string[] | undefined
  /** The duration of each test in the first run. The quick ones run first. */
  readonly timesMs?: ReadonlyMap<string, number>
  readonly bail?: boolean
  readonly before?: (id: string) => void
}

const taken = new Map<string, Body>()

export function test(name: string, body: Body): void {
  if (taken.has(name)) throw new Error(`two tests are named ${name}`)
  taken.set(name, body)
}

/** Returns the names of all tests collected so far, in order. */
export const listTests = (): string[] => [...taken.keys()]

export async function playTests({ only, timesMs, bail, before }: Choice): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const chosen = only ?? listTests()
  for (const id of [...chosen].sort((a, b) => (timesMs?.get(a) ?? 0) - (timesMs?.get(b) ?? 0))) {
    before?.(id)
    const startedMs = performance.now()
    const failure = await findFailure(taken.get(id))
    outcomes.push({ id, timeMs: performance.now() - startedMs, failure })
    if (bail && failure !== null) break
  }
  return outcomes
}

async function findFailure(body: Body | undefined): Promise<string | null> {
  try {
    if (body === undefined) throw new Error('there is no such test')
    await body()
    return null
  } catch (error) {
    return String(error)
  }
}
