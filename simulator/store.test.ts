import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { eventually } from '../test/support/eventually.ts'
import { draftItem } from './linking.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'
import { createEmptyState, type Item, type State } from './state.ts'
import { openStore } from './store.ts'
import { temporaryFolder } from './test-support.ts'
import { openWorld } from './world.ts'

const LOGIN = {
  clientId: 'client-a',
  clientUserId: 'user-1',
  institutionId: 'ins_109508',
  username: 'user_plain',
  products: ['transactions'],
  webhook: null,
  accountFilters: null,
}

async function openFile(t: TestContext): Promise<string> {
  return join(await temporaryFolder(t), 'simulator.json')
}

async function manyItems(count: number): Promise<{ state: State; draft: () => Item }> {
  const world = openWorld(await openStore(undefined))
  const draft = () => draftItem(world, LOGIN)
  for (let index = 0; index < count; index++) {
    const item = draft()
    world.state.items[item.itemId] = item
  }
  return { state: world.state, draft }
}

test('a state of any size survives a round trip', async (t) => {
  const file = await openFile(t)
  for (const count of [0, 1, 1000]) {
    const { state } = await manyItems(count)
    await saveSnapshot(file, state)
    assert.deepEqual(await loadSnapshot(file), JSON.parse(JSON.stringify(state)))
  }
})

test('changes made while a snapshot is being written neither lose nor duplicate items', async (t) => {
  const file = await openFile(t)
  const { state, draft } = await manyItems(10)
  const [exchanged, middle, last] = [draft(), draft(), draft()]
  const [first] = Object.values(state.items)
  assert.ok(first !== undefined && exchanged !== undefined && middle !== undefined && last !== undefined)
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  state.publicTokens['exchanged'] = { token: 'exchanged', expiresAt, link: { kind: 'new', item: exchanged } }
  // Serializing this item changes others, between the writes of the first item and the last.
  const toJSON = () => {
    delete state.publicTokens['exchanged']
    state.items[exchanged.itemId] = exchanged
    for (const item of [first, last]) {
      delete state.items[item.itemId]
      state.removedTokens[item.accessToken] = 'client-a'
    }
    return middle
  }
  state.items[middle.itemId] = Object.assign({ ...middle }, { toJSON })
  state.items[last.itemId] = last

  await saveSnapshot(file, state)
  const { items, publicTokens, removedTokens } = await loadSnapshot(file)
  assert.deepEqual(new Set(Object.keys(items)), new Set(Object.keys(state.items)))
  assert.deepEqual(publicTokens, {})
  assert.deepEqual(removedTokens, state.removedTokens)
})

test('a change made during a write is written too, automatically or by a flush', async (t) => {
  const file = await openFile(t)
  const store = await openStore(file)
  const offset = async () =>
    (JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Partial<State>).clockOffsetSeconds
  store.state.clockOffsetSeconds = 1
  store.changed()
  const flushed = store.flush()
  store.state.clockOffsetSeconds = 2
  store.changed()
  await flushed
  assert.equal(await eventually(async () => (await offset()) === 2), true)
  store.state.clockOffsetSeconds = 3
  store.changed()
  await store.flush()
  assert.equal(await offset(), 3)
})

test('loading an older snapshot fills in missing parts', async (t) => {
  const file = await openFile(t)
  const { version, items } = createEmptyState()
  await writeFile(file, JSON.stringify({ version, items, linkTokens: {}, publicTokens: {}, removedTokens: {} }))
  assert.deepEqual(await loadSnapshot(file), createEmptyState())
})
