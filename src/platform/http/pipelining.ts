import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { nextTurn } from '../slices.ts'

// Browsers and HTTP clients send one request at a time on a connection.
const OF_TURN_MAX = 10

type Backlog = { turn: number; count: number; readonly waiting: (() => void)[] }

/**
 * Spreads pipelined requests over several event-loop turns. One read from a socket can bring in thousands, and Node
 * would start them all in a single turn. We start the first few of each connection. The rest wait for later turns,
 * which all connections share, and their connection is not read until then.
 */
export function spreadPipelined(server: Server): void {
  const backlogs = new WeakMap<Socket, Backlog>()
  let turn = 0
  let isTurnEnding = false
  const endTurn = (): void => {
    turn++
    isTurnEnding = false
  }
  const openBacklog = (socket: Socket): Backlog => {
    let backlog = backlogs.get(socket)
    if (backlog === undefined) {
      backlog = { turn, count: 0, waiting: [] }
      backlogs.set(socket, backlog)
    }
    if (backlog.turn !== turn) Object.assign(backlog, { turn, count: 0 })
    if (!isTurnEnding) {
      isTurnEnding = true
      setImmediate(endTurn)
    }
    return backlog
  }
  const workOff = async (socket: Socket, { waiting }: Backlog): Promise<void> => {
    for (let next = 0; next < waiting.length && !socket.destroyed; next += OF_TURN_MAX) {
      await nextTurn()
      if (socket.writableNeedDrain) await drained(socket)
      // Repeated in every turn, because reading a body resumes the socket.
      socket.pause()
      for (const start of waiting.slice(next, next + OF_TURN_MAX)) if (!socket.destroyed) start()
    }
    waiting.length = 0
    socket.resume()
  }
  const [start] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  if (start === undefined) throw new Error('the server has no listener for requests')
  server.removeListener('request', start)
  // Without a listener, Node itself would reject all requests with an unknown Expect header that arrive in one read in
  // a single turn.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('request', (request, response) => {
    const { socket } = request
    const backlog = openBacklog(socket)
    if (backlog.waiting.length === 0 && backlog.count++ < OF_TURN_MAX) return void start(request, response)
    if (backlog.waiting.push(() => start(request, response)) === 1) void workOff(socket, backlog)
  })
}

/**
 * Waits until the client has read its responses. Unread responses stay in memory, so a client that does not read them
 * is sent no more.
 */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve).once('close', () => resolve())
  })
}
