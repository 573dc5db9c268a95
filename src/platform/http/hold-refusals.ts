import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

// A held call and its connection take 25 KB.
const HELD_MAX = 1_000

/** Returns when the caller is to be refused: after the given time, or at once if the refusal cannot be held. */
type HoldRefusal = (request: FastifyRequest, reply: FastifyReply, ms: number) => Promise<void>

/**
 * Holds one refusal of each connection, and HELD_MAX in all. A caller need not wait for an answer before it sends the
 * next request, and a single read has room for thousands: the second refusal on a connection ends the hold of the first
 * and closes the connection, as every refusal does that cannot be held.
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
      // The body of a batch has been read when its items exceed the limit; it is not kept in memory meanwhile.
      request.body = undefined
      await hold(socket, ms)
      if (!isClosing) return
    }
    closed.add(socket)
    releases.get(socket)?.()
    reply.header('Connection', 'close')
  }
}
