import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { verifyAll } from '../cli/commands/ledger.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { makePurchase } from '../test/journeys/processes.ts'
import { CATALOG } from '../test/support/app.ts'
import { databaseEnvironment, startTestServer } from '../test/support/postgres.ts'

/**
 * Simulates an upgrade without downtime: processes of an earlier commit serve traffic while this checkout migrates
 * their database, and are then replaced one by one. No request may fail, nothing may be logged as an error, and the
 * books must balance. Run it before a release: node scripts/play-upgrade.ts COMMIT
 */

const [, , commit = ''] = process.argv
const HERE = fileURLToPath(new URL('../', import.meta.url))
const [CALLERS, LOAD_MS] = [8, 4_000]

const server = await startTestServer()
Object.assign(process.env, server.environment)
const administer = postgres(server.url, { max: 1 })
const name = `laurel_upgrade_${randomBytes(4).toString('hex')}`
await administer`create database ${administer(name)}`
const address = new URL(server.url)
address.pathname = `/${name}`
const settings = { DATABASE_URL: address.href, LAUREL_MASTER_KEY: randomBytes(32).toString('base64'), LAUREL_DEMO: '0' }

const before = await mkdtemp(join(tmpdir(), 'laurel-before-'))
execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C ${before}`], { cwd: HERE })
await symlink(join(HERE, 'node_modules'), join(before, 'node_modules'))

async function start(folder: string) {
  const { PATH } = process.env
  const env = { PATH, PORT: '0', LAUREL_LOG_LEVEL: 'info', ...databaseEnvironment(), ...settings }
  const child = spawn(process.execPath, [join(folder, 'src/main.ts')], { stdio: ['ignore', 'ignore', 'pipe'], env })
  const url = Promise.withResolvers<string>()
  const faults: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    const found = /listening at (http:\/\/[\d.:]+)/.exec(line)?.[1]
    if (found !== undefined) url.resolve(found)
    if (/"level":(50|60)/.test(line)) faults.push(line.slice(0, 600))
  })
  const at = await url.promise
  while ((await fetch(`${at}/readyz`)).status !== 200) await setTimeout(50)
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return { at, faults, stop }
}

const old = [await start(before), await start(before)]
const rooms = (path: string) => import(pathToFileURL(join(before, path)).href)
const db = openDatabase(address.href)
await (await rooms('src/catalog/catalog/index.ts')).importCatalog(db, { format: 'json', text: JSON.stringify(CATALOG) })
const publishers = await rooms('src/tenants/publishers/index.ts')
const { apiKey, tncId } = await db.transaction(async (tx) => {
  const made = await publishers.createPublisher(tx, { name: 'Upgraded', environment: 'sandbox' }, new Date())
  const rates = { readsPerSecond: 100_000, writesPerSecond: 100_000, eventsPerSecond: 100_000 }
  const publisher = await publishers.changeSettings(tx, made.id, rates)
  const terms = { url: 'https://example.com/terms', revision: '1', requiredFrom: new Date(0) }
  const { documentId } = await (await rooms('src/users/terms/index.ts')).publishTerms(tx, terms, new Date())
  // Earlier commits export it from publishers.
  const { createApiKey } = { ...publishers, ...(await rooms('src/tenants/access/index.ts')) }
  return { apiKey: (await createApiKey(tx, publisher, null, new Date())).apiKey, tncId: documentId }
})
await setTimeout(1_000)

let urls = old.map(({ at }) => at)
const answers = new Map<string, number>()
async function ask(method: string, path: string, body?: object): Promise<void> {
  const url = urls[Math.floor(Math.random() * urls.length)]
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const status = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }).then(
    (answer) => answer.text().then(() => String(answer.status)),
    (error) => `${error} ${error.cause}`,
  )
  const outcome = `${method} ${path.replace(/u-\d+/, 'USER')} ${status}`
  answers.set(outcome, (answers.get(outcome) ?? 0) + 1)
}
let stopped = false
const load = Array.from({ length: CALLERS }, async (_, caller) => {
  const publisher_user_id = `u-${caller}`
  await ask('POST', '/users', { publisher_user_id })
  await ask('POST', '/terms/accept', { publisher_user_id, tnc_id: tncId })
  for (let count = 0; !stopped; count++) {
    await ask('POST', '/transactions', makePurchase(publisher_user_id, `${caller}-${count}`))
    await ask('GET', `/users/${publisher_user_id}`)
    await ask('GET', '/events')
  }
})
await setTimeout(LOAD_MS)
console.log('migrating under load')
const began = performance.now()
await migrate(address.href, { log: (line) => console.log(line) })
console.log(`migrated in ${Math.round(performance.now() - began)} ms`)
await setTimeout(LOAD_MS)
const now: Awaited<ReturnType<typeof start>>[] = []
for (const one of old) {
  now.push(await start(HERE))
  urls = [...urls.filter((url) => url !== one.at), now.at(-1)?.at ?? '']
  await setTimeout(1_500)
  await one.stop()
  console.log('a process was replaced')
}
await setTimeout(LOAD_MS)
stopped = true
await Promise.all(load)
console.log([...answers].map(([outcome, count]) => `${count}\t${outcome}`).join('\n'))
const faults = [...old, ...now].flatMap((one) => one.faults)
const { differences } = await verifyAll(db)
for (const one of now) await one.stop()
await db.close()
await administer`drop database ${administer(name)} with (force)`
await administer.end()
await rm(before, { recursive: true, force: true })
assert.deepEqual(
  [...answers.keys()].filter((outcome) => !outcome.endsWith(' 200')),
  [],
)
assert.deepEqual(faults, [])
assert.deepEqual(differences, [])
