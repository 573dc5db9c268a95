// A service on the same machine answers within milliseconds; one that is overloaded deserves a moment.
const LIMIT_MS = 3_000

type Probe = { readonly status: number; readonly text: string }

/** Asks an address once; null if there is no response. */
export async function probe(url: string, request: RequestInit = {}): Promise<Probe | null> {
  try {
    const answer = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return null
  }
}

export async function answersOk(url: string): Promise<boolean> {
  return (await probe(url))?.status === 200
}

/** Whether a simulator answers there; other programs do not know its clock. */
export async function isSimulator(url: string): Promise<boolean> {
  const answer = await probe(`${url}/_sim/clock`)
  return answer?.status === 200 && answer.text.includes('offset_seconds')
}
