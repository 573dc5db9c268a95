import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { encodeId, newUuid } from '../ids.ts'
import { buildProblemBody, Problem, type Problems } from './problems.ts'

const BY_CODE: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: new Problem('head_too_large', 'The URL and headers together exceed 16 KiB.'),
  SMALL_CHUNKS: new Problem(
    'chunks_too_small',
    'The body arrives in too many small chunks. Send a Content-Length, or chunks of at least 64 bytes.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new Problem('request_timeout', 'The request was not received in time.'),
}
const UNREADABLE = new Problem('request_unreadable', 'The request is not valid HTTP.')

// Long enough for the client to read the response.
const CLOSED_AFTER_MS = 2_000

/** Responds to input that is not a complete, valid request. Writes the response to the socket and closes it. */
export function answerClientError(problems: Problems, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const problem = buildProblemBody(problems, BY_CODE[error.code ?? ''] ?? UNREADABLE, encodeId('req', newUuid()), '')
  const { status, request_id } = problem
  const body = JSON.stringify(problem)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${request_id}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  // A client that keeps sending would otherwise keep the connection open.
  setTimeout(() => socket.destroy(), CLOSED_AFTER_MS).unref()
}
