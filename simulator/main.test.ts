import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startSimulator } from './index.ts'
import { atEnd, linkItem, openSimulator, temporaryFolder } from './test-support.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

/** Starts the program and returns once it has printed its address. */
async function startProgram(t: TestContext, settings: Record<string, string>) {
  const program: ChildProcess = spawn(process.execPath, [MAIN], {
    env: { ...process.env, SIMULATOR_PORT: '0', ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(program, 'exit')
  atEnd(t, () => program.kill('SIGKILL'))
  let text = ''
  for await (const chunk of program.stdout ?? []) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  const { simulator_url: url } = JSON.parse(text) as { simulator_url: string }
  return { program, url, ended }
}

test('the program prints its address, answers calls, and saves its items on SIGTERM', async (t) => {
  const dataFile = join(await temporaryFolder(t), 'deep', 'simulator.json')
  const { program, url, ended } = await startProgram(t, { SIMULATOR_DATA_FILE: dataFile })
  const made = await fetch(`${url}/sandbox/public_token/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'plaid-client-id': 'client-a', 'plaid-secret': 'any' },
    body: JSON.stringify({ institution_id: 'ins_109508', initial_products: ['transactions'] }),
  })
  const { public_token } = (await made.json()) as { public_token: string }
  program.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])

  const { call } = await openSimulator(t, { dataFile })
  assert.equal((await call('/item/public_token/exchange', { public_token })).status, 200)
})

test('the program exits when its parent does', async (t) => {
  const { program, ended } = await startProgram(t, { SIMULATOR_EXIT_WITH_PARENT: '1' })
  program.stdin?.destroy()
  assert.deepEqual(await ended, [0, null])
})

test('items, purchases, cursors and the clock survive a restart', async (t) => {
  const folder = await temporaryFolder(t)
  const dataFile = join(folder, 'simulator.json')
  const before = await openSimulator(t, { dataFile })
  const { access_token, item_id } = await linkItem(before)
  await before.control('purchases', { item_id, merchant: 'Fern Foods', amount: 3 })
  await before.control('clock', { offset_seconds: 60 })
  type Page = { added: unknown[]; next_cursor: string }
  const { body: first } = await before.call<Page>('/transactions/sync', { access_token })
  await before.close()
  assert.deepEqual(await readdir(folder), ['simulator.json'])
  assert.equal((await stat(dataFile)).mode & 0o777, 0o600)

  const after = await openSimulator(t, { dataFile })
  await after.control('purchases', { item_id, merchant: 'Fern Foods', amount: 4 })
  const cursor = first.next_cursor
  const { body: second } = await after.call<Page>('/transactions/sync', { access_token, cursor })
  assert.deepEqual([first.added.length, second.added.length], [1, 1])
  assert.equal((await after.ask<{ offset_seconds: number }>('clock')).offset_seconds, 60)
})

test('if the port is taken, the simulator uses the next free one', async (t) => {
  const first = await startSimulator({ port: 0 })
  atEnd(t, first.close)
  const second = await startSimulator({ port: first.port })
  atEnd(t, second.close)
  assert.ok(second.port > first.port)
  assert.equal((await fetch(`${second.url}/_sim/clock`)).status, 200)
})

test('a file that is not a snapshot is rejected and left unchanged', async (t) => {
  const dataFile = join(await temporaryFolder(t), 'notes.json')
  await writeFile(dataFile, '{"shopping":["milk"]}')
  await assert.rejects(startSimulator({ port: 0, dataFile }), /not a snapshot of this simulator/)
})
