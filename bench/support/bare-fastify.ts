// The limit for any page: Fastify without hooks or schemas, sending the bytes of a file.
import { readFile } from 'node:fs/promises'
import { fastify } from 'fastify'

const body = await readFile(process.argv[2] ?? '', 'utf8')
const app = fastify()
app.get('/*', (_request, reply) => {
  reply.header('Content-Type', 'application/json; charset=utf-8')
  return reply.send(body)
})
const url = await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) })
process.send?.(url)
process.once('SIGTERM', async () => {
  await app.close()
  process.disconnect?.()
})
