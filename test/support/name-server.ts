import { createSocket } from 'node:dgram'
import { after } from 'node:test'

type NameServer = {
  /** The address in the format that the resolver expects. */
  readonly address: string
  /** The names queried, one entry per question. */
  readonly asked: string[]
}

/**
 * Starts a name server on a real socket that knows IPv4 addresses. It never answers questions about names that end in
 * `silent`, or about the IPv6 addresses of names that begin with `only-ipv4`.
 */
export async function startNameServer(addresses: Readonly<Record<string, string>>): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, end, type } = parseQuestion(message)
    asked.push(name)
    if (name.endsWith('silent') || (name.startsWith('only-ipv4') && type !== A)) return
    const address = addresses[name]
    const answer = address !== undefined && type === A ? answerWith(address) : null
    const head = Buffer.from(message.subarray(0, 12))
    head.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(answer === null ? 0 : 1, 6)
    head.fill(0, 8, 12)
    socket.send(Buffer.concat([head, message.subarray(12, end), answer ?? Buffer.alloc(0)]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  after(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

const A = 1

function parseQuestion(message: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** Builds an answer record: the name from the question, class IN, a TTL of one minute, and a four-byte address. */
function answerWith(address: string): Buffer {
  return Buffer.from([0xc0, 0x0c, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
}
