import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { fetchPatiently } from '../test/support/app.ts'
import { eventually } from '../test/support/eventually.ts'
import { completeLinkPage } from '../test/support/link-page.ts'
import { dataFolder, laurel, laurelJson, laurelProcess, type Running, startLaurel } from './test-support.ts'

const dataDir = await dataFolder()
const env = { LAUREL_DATA_DIR: dataDir, PORT: '0', SIMULATOR_PORT: '0', SIMULATOR_HOST: '0.0.0.0' }
let running: Running = await startLaurel(env)
// A failing test must not leave the database running.
after(async () => {
  if (running.child.exitCode === null && running.child.signalCode === null) await running.end('SIGTERM')
})

const ask = (path: string, init: RequestInit = {}) =>
  fetchPatiently(running.url + path, {
    ...init,
    headers: { authorization: `Bearer ${running.apiKey}`, 'content-type': 'application/json' },
  })

test('the first start prints a banner whose curl command works as is and returns every demo outcome', async () => {
  const line = running.banner.split('\n').find((one) => one.startsWith('curl ')) ?? ''
  const { stdout } = await promisify(execFile)('sh', ['-c', line])
  const { content } = JSON.parse(stdout)
  const outcomes = content.map(
    (one: { status: string; status_reason: string | null }) => `${one.status} ${one.status_reason}`,
  )
  assert.deepEqual(
    new Set(outcomes),
    new Set(['PENDING null', 'EARNED null', 'EARNED refunded', 'CANCELLED refunded', 'CANCELLED unmatched']),
  )
  assert.equal((await fetchPatiently(`${running.url}/docs`)).status, 200)
  assert.equal((await fetch(running.simulatorUrl)).status, 200)
  assert.equal((await readFile(join(dataDir, 'sandbox.key'), 'utf8')).trim(), running.apiKey)
  assert.equal((await stat(join(dataDir, 'sandbox.key'))).mode & 0o777, 0o600)
})

test('the first start reports the applied migrations in one line', () => {
  const lines = running
    .log()
    .split('\n')
    .filter((line) => line.includes('migration'))
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.match(JSON.parse(lines[0] ?? '').msg, /^applied \d+ migrations, 0001_tenants to /)
})

test('doctor reports the running service as healthy and reveals no password or key', async () => {
  const report = await laurelJson(['doctor'], env)
  assert.deepEqual(
    report.checks.filter((check: { ok: boolean }) => !check.ok),
    [],
  )
  assert.deepEqual([report.service_url, report.simulator_url], [running.url, running.simulatorUrl])
  assert.equal(report.database.kind, 'embedded')
  const text = JSON.stringify(report)
  for (const file of ['postgres.password', 'sandbox.key', 'master.key']) {
    assert(!text.includes((await readFile(join(dataDir, file), 'utf8')).trim()), file)
  }
})

test('commands work while the service runs, and the service sees their changes immediately', async () => {
  const made = await laurelJson(['publishers', 'create', '--name', 'Second', '--environment', 'sandbox'], env)
  const answer = await fetchPatiently(`${running.url}/users`, { headers: { authorization: `Bearer ${made.api_key}` } })
  assert.equal(answer.status, 200)
  assert.equal((await laurel(['keys', 'revoke', made.key_id], env)).code, 0)
})

test('a user can link cards at the address printed by simulator link, or on a phone via its QR code', async () => {
  await ask('/users', { method: 'POST', body: '{"publisher_user_id": "phone"}' })
  const shown = await laurel(['simulator', 'link', '--user', 'phone', '--qr'], env)
  assert.equal(shown.code, 0, shown.stderr)
  const [address = '', ...rest] = shown.stdout.split('\n')
  const network = /Phones +(\S+)/.exec(running.banner)?.[1]
  assert.ok(address.startsWith(`${network ?? running.simulatorUrl}/link?token=link-sandbox-`), address)
  assert.match(rest.join('\n'), /[█▀▄]{10}/)
  const token = new URL(address).searchParams.get('token')
  const walk = { username: 'phone', bank: 'ins_109508', choose: () => true }
  await completeLinkPage(new URL(address).origin, token, walk)
  await eventually(async () => {
    const cards = (await (await ask('/linker/linked-cards/phone')).json()) as { linked_institutions: unknown[] }
    return cards.linked_institutions.length === 1
  })
  const unknown = await laurel(['simulator', 'link', '--user', 'nobody'], env)
  assert.deepEqual([unknown.code, /no user with this/.test(unknown.stderr)], [1, true], unknown.stderr)
})

test('the demo takes a user all the way to the payout, fits in 100 columns, and opens both front ends', async () => {
  const { opened, BROWSER } = await recordingBrowser()
  const demo = await laurelProcess(['demo', '--open'], { ...env, NO_COLOR: '1', BROWSER })
  assert.equal(demo.code, 0, demo.stderr)
  assert(
    demo.stdout.split('\n').every((line) => line.length <= 100 || line.includes('/enter/')),
    demo.stdout,
  )
  for (const part of [
    'POST /users ',
    'public-token',
    '/decision',
    'advertiser_receivable',
    'user_available',
    'status EARNED',
    'Console within 24 hours, Portal within 15 minutes',
  ]) {
    assert(demo.stdout.includes(part), part)
  }
  const shown = Number(/available_cashback (\d+\.\d\d) USD/.exec(demo.stdout)?.[1])
  const user = /link-token\/(demo-\w+)/.exec(demo.stdout)?.[1]
  const summary = (await (await ask(`/rewards/summary/${user}`)).json()) as Record<string, number>
  assert(shown > 0)
  assert.deepEqual([summary['available_cashback'], summary['redeemed_cashback']], [0, shown])
  assert.equal((await laurelJson(['ledger', 'verify'], env)).ok, true)
  const urls = await eventually(async () => ((await opened()).length === 2 ? opened() : null))
  for (const front of ['/console/', '/portal/']) {
    const url = urls.find((one) => one.startsWith(running.url + front)) ?? ''
    assert(demo.stdout.includes(url), front)
    assert.equal((await fetchPatiently(url)).status, 200, url)
  }
})

/** Stands in for a desktop browser and records the addresses it is asked to open. */
async function recordingBrowser() {
  const folder = await dataFolder()
  const [BROWSER, list] = [join(folder, 'browser'), join(folder, 'opened')]
  await writeFile(BROWSER, `#!/bin/sh\necho "$1" >> '${list}'\n`, { mode: 0o755 })
  await writeFile(list, '')
  return { BROWSER, opened: async () => (await readFile(list, 'utf8')).split('\n').filter((line) => line !== '') }
}

test('an occupied port is reported with a remedy', async () => {
  const port = new URL(running.url).port
  const second = await laurel(['start'], { ...env, PORT: port })
  assert.equal(second.code, 1)
  assert.equal(
    second.stderr,
    `Laurel is already running at ${running.url} (process ${running.child.pid}). Set PORT to run a second one.\n`,
  )
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const taken = String((other.address() as { port: number }).port)
  after(() => other.close())
  const blocked = await laurel(['start'], { ...env, PORT: taken })
  assert.equal(blocked.code, 1)
  assert.match(blocked.stderr, new RegExp(`^Port ${taken} is in use by another program. Set PORT`))
  const unmeasured = await laurel(['start'], { ...env, PORT: '0', LAUREL_METRICS_PORT: taken })
  assert.equal(unmeasured.code, 1)
  assert.match(unmeasured.stderr, new RegExp(`^Port ${taken} is in use by another program. Set LAUREL_METRICS_PORT`))
})

test('a restart after kill -9 keeps the API key and all acknowledged data', async () => {
  const created = await ask('/users', { method: 'POST', body: JSON.stringify({ publisher_user_id: 'survivor' }) })
  assert.equal(created.status, 200)
  const key = running.apiKey
  await running.end('SIGKILL')
  running = await startLaurel(env)
  assert.equal(running.apiKey, key)
  assert.equal((await ask('/users/survivor')).status, 200)
})

test('on SIGTERM, the request in flight finishes, simulator and database stop, and files are cleaned up', async () => {
  const { port, hostname } = new URL(running.url)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({ publisher_user_id: 'late' })
  const head = [
    'POST /users HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${running.apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [asked] = await once(socket, 'data')
  assert.match(String(asked), /^HTTP\/1\.1 100 /)
  const ended = running.end('SIGTERM')
  socket.write(body)
  const [answered] = await once(socket, 'data')
  assert.match(String(answered), /^HTTP\/1\.1 200 /)
  assert.equal(await ended, 0)
  assert(!existsSync(join(dataDir, 'runtime.json')))
  await assert.rejects(fetch(running.simulatorUrl))
})

test('when the service is stopped, doctor reports what to start and exits with 1', async () => {
  const ended = await laurel(['doctor', '--json'], env)
  assert.equal(ended.code, 1)
  const report = JSON.parse(ended.stdout)
  // A killed process counts as running for half a minute, so a worker might still be listed.
  const wrong = report.checks.filter((check: { ok: boolean; name: string }) => !check.ok && check.name !== 'worker')
  assert.deepEqual(
    wrong.map((check: { name: string }) => check.name),
    ['service', 'simulator'],
  )
  assert(wrong.every((check: { remedy: string | null }) => check.remedy !== null))
})
