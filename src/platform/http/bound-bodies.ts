import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { answerClientError } from './client-errors.ts'
import type { Problems } from './problems.ts'

// Parsing even the shortest chunk takes a few microseconds, but sending it takes only six bytes.
const CHUNKS_FREE = 100
const BYTES_PER_CHUNK = 64
// Long enough for the client to read the response.
const REST_MS = 2_000

/**
 * Ends requests whose bodies arrive in too many small chunks or continue after the response. By default, Node drains an
 * unread body to its end in order to reuse the connection.
 */
export function boundBodies(server: Server, problems: Problems): void {
  server.on('request', (request, response) => {
    const isChunked = request.headers['transfer-encoding'] !== undefined
    if (!isChunked && request.headers['content-length'] === undefined) return
    if (isChunked) countChunks(problems, request, response)
    response.once('finish', () => {
      if (!request.complete) setTimeout(() => request.complete || request.socket.destroy(), REST_MS)
    })
  })
}

function countChunks(problems: Problems, request: IncomingMessage, response: ServerResponse): void {
  let [chunks, bytes, isOver] = [0, 0, false]
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(chunk, encoding)
    // Chunks that have already arrived are still parsed.
    if (isOver) return false
    chunks++
    bytes += chunk.length
    if (chunks <= CHUNKS_FREE + bytes / BYTES_PER_CHUNK) return push(chunk, encoding)
    isOver = true
    if (!response.headersSent)
      answerClientError(problems, Object.assign(new Error('small chunks'), { code: 'SMALL_CHUNKS' }), request.socket)
    request.socket.destroySoon()
    return false
  }
  // Registered before Node's own listener, which would discard the rest of the body uncounted.
  response.prependOnceListener('finish', () => {
    if (!request.complete) request.on('data', () => undefined).read(0)
  })
}
