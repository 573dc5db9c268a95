import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { removeDataDir } from './support/bench-server.ts'
import { computeMedian } from './support/rounds.ts'

const ROUNDS = 5
const POLL_MS = 5
const GIVE_UP_MS = 60_000
const CLI = fileURLToPath(new URL('../cli/main.mjs', import.meta.url))
const BARE = fileURLToPath(new URL('support/bare-fastify.ts', import.meta.url))

export const start: Benchmark = {
  name: 'start',
  about:
    '`laurel start` on an existing data folder with its server stopped, from the spawn to the first 200 of /healthz. The limit is a process with only a Fastify',
  measure: async (server) => {
    const dataDir = join(server.dataDir, 'start')
    const laurel = () => secondsToAnswer([CLI, 'start'], { LAUREL_DATA_DIR: dataDir, SIMULATOR_PORT: '0' }, '/healthz')
    const bare = () => secondsToAnswer([BARE, BARE], {}, '/')
    server.say('start: the first start makes the database and its sandbox')
    await laurel()
    const rounds: { ours: number; limit: number }[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push({ ours: await laurel(), limit: await bare() })
    await removeDataDir(dataDir)
    return [
      {
        name: 'start',
        ours: computeMedian(rounds.map((round) => round.ours)),
        limit: computeMedian(rounds.map((round) => round.limit)),
        goal: { of: 'ours', bound: 'at most', value: 2 },
        unit: 's',
      },
    ]
  },
}

/** Times a program from its start to its first response, then stops it and waits for it to exit. */
async function secondsToAnswer(program: readonly string[], env: NodeJS.ProcessEnv, path: string): Promise<number> {
  const port = await freePort()
  const beganMs = performance.now()
  const child = spawn(process.execPath, program, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), ...env },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  try {
    while (!(await isReady(`http://127.0.0.1:${port}${path}`))) {
      if (child.exitCode !== null || performance.now() - beganMs > GIVE_UP_MS)
        throw new Error(`${program.join(' ')} does not answer`)
      await wait(POLL_MS)
    }
    return (performance.now() - beganMs) / 1000
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
