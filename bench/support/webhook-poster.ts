// The limit for deliveries: undici posting what a receiver recorded, on a fixed number of connections, with the
// original headers.
import { Pool } from 'undici'
import { readReceived } from './webhooks.ts'

const [url = '', file = '', connections = ''] = process.argv.slice(2)
const waiting = (await readReceived(file)).values()
const pool = new Pool(url, { connections: Number(connections) })

async function postAll(): Promise<void> {
  for (const { headers, body } of waiting) {
    const answer = await pool.request({ path: '/hook', method: 'POST', headers, body })
    if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`)
    await answer.body.dump()
  }
}

process.once('message', async () => {
  await Promise.all(Array.from({ length: Number(connections) }, postAll))
  await pool.close()
  process.disconnect?.()
})
process.send?.(url)
