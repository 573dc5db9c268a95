import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { encodeId, newUuid } from '../ids.ts'
import { problemType } from './problems.ts'

type ClientProblem = {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
}

const UNREADABLE: ClientProblem = {
  status: 400,
  code: 'request_unreadable',
  title: 'Unreadable request',
  detail: 'The request is not HTTP that can be read.',
}
const BY_CODE: Readonly<Record<string, ClientProblem>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'head_too_large',
    title: 'Head too large',
    detail: 'The address and the headers are larger than 16 KiB.',
  },
  SMALL_CHUNKS: {
    status: 400,
    code: 'chunks_too_small',
    title: 'Chunks too small',
    detail: 'The body comes in too many small chunks: send 64 bytes or more in each, or a Content-Length.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request_timeout',
    title: 'Request too slow',
    detail: 'The request did not arrive in time.',
  },
}

// A client that reads the response has read it by then.
const CLOSED_AFTER_MS = 2_000

/** Responds to input that cannot be, or is not, read as a request. The response is written to the socket, which is closed. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const { status, code, title, detail } = BY_CODE[error.code ?? ''] ?? UNREADABLE
  const request_id = encodeId('req', newUuid())
  const problem = { type: problemType(code), title, status, detail, instance: '', code, request_id }
  const errors = [{ field: '', code, message: detail }]
  const body = JSON.stringify(status === 400 ? { ...problem, errors } : problem)
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
  // A client that goes on sending would keep the connection open.
  setTimeout(() => socket.destroy(), CLOSED_AFTER_MS).unref()
}
