import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

// A held call and its connection take 25 KB.
const HELD_MAX = 1_000

/** Resolves when the refusal is to be answered: after the given time, or at once if it cannot be held. */
type HoldRefusal = (request: FastifyRequest, reply: FastifyReply, ms: number) => Promise<void>

/**
 * Holds one refusal per connection, and HELD_MAX in all. Any other is answered at once and closes its connection, where
 * it also ends the hold of the first: a caller may pipeline requests, and one read of a socket may bring thousands.
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
      // The body of a batch has been read by the time its items exceed the limit: it need not stay in memory.
      request.body = undefined
      await hold(socket, ms)
      if (!isClosing) return
    }
    closed.add(socket)
    releases.get(socket)?.()
    reply.header('Connection', 'close')
  }
}
