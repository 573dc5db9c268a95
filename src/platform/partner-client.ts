import type { Static, TSchema } from 'typebox'
import { matches } from './http/validation.ts'

// Calls that take longer are retried.
const DEADLINE_MS = 10_000
// Large enough for the response to the largest order, and for a page of a bank's events.
const RESPONSE_LENGTH_MAX = 1_000_000

type Reply = { readonly isRefused: boolean; readonly body: unknown }

type PartnerClient = {
  /**
   * Sends JSON and returns the parsed response. Follows no redirects.
   * @throws unless the status is 200 or, for a final refusal, 422
   */
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<Reply>
  /** @throws if the body does not match the schema */
  read<S extends TSchema>(schema: S, body: unknown): Static<S>
}

/**
 * Creates the client of a partner, such as a bank. Error messages never quote a response, because it might contain
 * codes.
 * @param name the start of error messages, such as `the payout bank`
 */
export function createPartnerClient(name: string, baseUrl: string, key: string): PartnerClient {
  const invalid = () => new Error(`${name} returned an invalid response`)

  async function readText(response: Response): Promise<string> {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > RESPONSE_LENGTH_MAX) throw new Error(`${name} returned too large a response`)
    }
    return text
  }

  function parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw invalid()
    }
  }

  return {
    call: async (method, path, body) => {
      const response = await fetch(`${baseUrl}/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
      })
      const { status } = response
      if (status !== 200 && status !== 422) throw new Error(`${name} responded with status ${status}`)
      return { isRefused: status === 422, body: parse(await readText(response)) }
    },
    read: (schema, body) => {
      if (!matches(schema, body)) throw invalid()
      return body
    },
  }
}
