// A minimal webhook receiver in plain Node. It reads each request to the end, responds with 200, and notifies its
// parent once everything it expects has arrived.
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Arrivals, Wanted } from './webhooks.ts'

let wanted: Wanted = { count: 0, after: 0, keepIn: null }
let [arrived, beganMs] = [0, 0]
let kept: { headers: IncomingHttpHeaders; body: string; atMs: number }[] = []

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.end()
    take(request.headers, chunks)
  })
})

function take(headers: IncomingHttpHeaders, chunks: readonly Buffer[]): void {
  arrived++
  if (wanted.keepIn !== null) kept.push({ headers, body: Buffer.concat(chunks).toString(), atMs: Date.now() })
  if (arrived === wanted.after) beganMs = performance.now()
  if (arrived !== wanted.count) return
  const seconds = (performance.now() - beganMs) / 1_000
  if (wanted.keepIn !== null) writeFileSync(wanted.keepIn, kept.map((one) => `${JSON.stringify(one)}\n`).join(''))
  process.send?.({ seconds } satisfies Arrivals)
}

process.on('message', (message) => {
  wanted = message as Wanted
  arrived = 0
  kept = []
})
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))
