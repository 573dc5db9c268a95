import { type Connections, createNames, type Egress, openConnections } from '../../../events/index.ts'
import { describeNetworkFault } from '../../../platform/network-fault.ts'
import { decodeText } from '../../../platform/text/decode-text.ts'

type ReportRequest = {
  readonly url: string
  /** The body of a POST; null to send a GET. */
  readonly body: string | null
  readonly header: { readonly name: string; readonly value: string } | null
}

// Networks generate reports while we wait. The deadline covers the whole call, so that a slow trickle of bytes cannot
// extend it.
const DEADLINE_MS = 120_000
const BYTES_MAX = 20 * 1024 * 1024
// The maximum number of bytes to drain from a response that is not a report, so that its connection closes cleanly.
const DUMPED_BYTES = 64 * 1024

export type ReportClient = ReturnType<typeof createReportClient>

/**
 * Fetches reports from networks. These are the only network calls of this module, and only to addresses that webhooks
 * may use.
 */
export function createReportClient(egress: Egress) {
  let opened: Promise<Connections> | null = null
  return {
    /**
     * Returns the text of the report.
     * @throws Error that explains the failure without revealing secrets
     */
    read: async ({ url: text, body, header }: ReportRequest): Promise<string> => {
      const url = new URL(text)
      opened ??= openConnections(egress, createNames())
      const { agent } = await (await opened).to(url)
      const signal = AbortSignal.timeout(DEADLINE_MS)
      const call = {
        ...({ origin: url.origin, path: url.pathname + url.search, method: body === null ? 'GET' : 'POST' } as const),
        headers: {
          accept: 'application/json, text/csv;q=0.9, */*;q=0.5',
          'user-agent': 'Laurel-Reports/1',
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...(header === null ? {} : { [header.name]: header.value }),
        },
        body,
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      }
      try {
        const answer = await agent.request(call)
        if (answer.statusCode >= 200 && answer.statusCode < 300) return await readText(answer.body)
        await answer.body.dump({ limit: DUMPED_BYTES })
        const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400
        throw new ReportFault(`the network responded with ${answer.statusCode}${isRedirect ? ', a redirect' : ''}`)
      } catch (error) {
        throw error instanceof ReportFault ? error : new ReportFault(describeFailure(error, signal.aborted))
      }
    },
    close: async () => (await opened)?.close(),
  }
}

class ReportFault extends Error {}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) {
      throw new ReportFault('the report is larger than 20 MiB; request fewer days at a time')
    }
    chunks.push(chunk)
  }
  const decoded = decodeText(Buffer.concat(chunks))
  if (decoded === null) throw new ReportFault("the report's encoding is not UTF-8, UTF-16 or windows-1252")
  return decoded.text
}

function describeFailure(error: unknown, isLate: boolean): string {
  if (isLate) return 'the report did not arrive in time'
  const { code } = error as { code?: unknown }
  if (code === 'ADDRESS_REFUSED') return "the network's address is not allowed"
  return `the network cannot be reached: ${describeNetworkFault(error) ?? 'the connection failed'}`
}
