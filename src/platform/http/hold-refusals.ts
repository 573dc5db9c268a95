import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

// A held request and its connection take 25 KB.
const HELD_MAX = 1_000

/** Resolves when the refusal should be sent: after the given time, or immediately if it cannot be held. */
type HoldRefusal = (request: FastifyRequest, reply: FastifyReply, ms: number) => Promise<void>

/**
 * Holds one refusal per connection, and at most HELD_MAX in total. Any further refusal is sent immediately and closes
 * its connection, which also releases the held one. Callers can pipeline requests, and a single read from a socket can
 * bring in thousands.
 */
export function holdRefusals(app: Pick<FastifyInstance, 'addHook'>, heldMax = HELD_MAX): HoldRefusal {
  const releases = new Map<Socket, () => void>()
  const closed = new WeakSet<Socket>()
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    for (const release of releases.values()) release()
    done()
  })
  const canHold = (socket: Socket): boolean =>
    !isClosing && !closed.has(socket) && !releases.has(socket) && releases.size < heldMax
  const hold = (socket: Socket, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => releases.get(socket)?.(), ms)
      releases.set(socket, () => {
        clearTimeout(timer)
        releases.delete(socket)
        resolve()
      })
    })
  return async (request, reply, ms) => {
    const { socket } = request.raw
    if (canHold(socket)) {
      // A batch whose items exceed the rate limit has already been read, so this frees its memory.
      request.body = undefined
      await hold(socket, ms)
      if (!isClosing) return
    }
    closed.add(socket)
    releases.get(socket)?.()
    reply.header('Connection', 'close')
  }
}
