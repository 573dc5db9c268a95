import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { nextTurn } from '../slices.ts'

// A browser and a client of programs send one request at a time on a connection.
const OF_TURN_MAX = 10

type Backlog = { turn: number; count: number; readonly waiting: (() => void)[] }

/**
 * One read of a socket may bring thousands of pipelined requests, which Node would start in one turn of the event loop.
 * The first few of a connection are started; the rest wait for turns that all connections share, and meanwhile nothing
 * more is read from theirs.
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
      // Again in each turn, because whoever reads a body resumes the socket.
      socket.pause()
      for (const start of waiting.slice(next, next + OF_TURN_MAX)) if (!socket.destroyed) start()
    }
    waiting.length = 0
    socket.resume()
  }
  const [start] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  if (start === undefined) throw new Error('the server has no listener for requests')
  server.removeListener('request', start)
  server.on('request', (request, response) => {
    const { socket } = request
    const backlog = openBacklog(socket)
    if (backlog.waiting.length === 0 && backlog.count++ < OF_TURN_MAX) return void start(request, response)
    if (backlog.waiting.push(() => start(request, response)) === 1) void workOff(socket, backlog)
  })
}

/** Answers that the client does not read stay in memory, so it gets no more of them. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('drain', resolve).once('close', () => resolve())
  })
}
