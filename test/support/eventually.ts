const TRIES = 12_000
const REST_MS = 25

/**
 * Polls until there is a result, for work done by other processes. Because the machine may be slow and busy, the
 * deadline is at least five minutes, which only a failing test reaches.
 */
export async function eventually<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  for (let count = 0; count < TRIES; count++) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
  }
  throw new Error('what was waited for did not come')
}
