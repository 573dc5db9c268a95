import { describeNetworkFault } from '../src/platform/network-fault.ts'

// A local service responds within milliseconds. The limit leaves room for an overloaded one.
const LIMIT_MS = 3_000

type Probe = { readonly status: number; readonly text: string }

/** Sends one request and returns the response; null if there is none. */
export async function probe(url: string, request: RequestInit = {}): Promise<Probe | null> {
  const answer = await probeOrFault(url, request)
  return 'fault' in answer ? null : answer
}

/** Sends one request. If there is no response, `fault` completes the sentence "it cannot be used: …". */
export async function probeOrFault(
  url: string,
  request: RequestInit = {},
): Promise<Probe | { readonly fault: string }> {
  try {
    const answer = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    return { fault: describeNetworkFault(error) ?? 'it does not respond with HTTP' }
  }
}

/** Describes what is wrong with an address that should respond with 200; null if nothing is. */
export async function findFaultAt(url: string): Promise<string | null> {
  const answer = await probeOrFault(url)
  if ('fault' in answer) return answer.fault
  return answer.status === 200 ? null : `it responds with ${answer.status}, not 200`
}

export async function isOk(url: string): Promise<boolean> {
  return (await findFaultAt(url)) === null
}

/** True if a simulator answers at the address; no other program has its clock endpoint. */
export async function isSimulator(url: string): Promise<boolean> {
  const answer = await probe(`${url}/_sim/clock`)
  return answer?.status === 200 && answer.text.includes('offset_seconds')
}
