import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, readConfig } from '../config/config.ts'
import { addKey, chooseKeySource, createKeyFile, dropKeys } from './key-source.ts'

const parent = await mkdtemp(join(tmpdir(), 'laurel-keys-'))
after(() => rm(parent, { recursive: true }))
let folders = 0
const folder = () => join(parent, String(folders++))
const newSource = async (dataDir: string) => {
  const { file, ...source } = chooseKeySource([], dataDir)
  assert(file !== null)
  await createKeyFile(file)
  return { file, ...source }
}
const readIds = (dataDir: string) =>
  chooseKeySource([], dataDir)
    .read()
    .map((key) => key.id)

test('processes that start concurrently create one master key that no other account can read', async () => {
  const dataDir = folder()
  const sources = await Promise.all(Array.from({ length: 8 }, () => newSource(dataDir)))
  const ids = sources.map((source) => source.read().map((key) => key.id))
  assert.equal(ids[0]?.length, 1)
  assert.equal(new Set(ids.flat()).size, 1)
  assert.deepEqual(await readdir(dataDir), ['master.key'])
  assert.equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600)
})

test('keys in the settings take precedence, and the data folder is not created', async () => {
  const dataDir = folder()
  const source = chooseKeySource([randomBytes(32).toString('base64')], dataDir)
  assert.deepEqual([source.file, source.place, source.read().length], [null, 'LAUREL_MASTER_KEY', 1])
  await assert.rejects(stat(dataDir), /ENOENT/)
})

test('keys are prepended to the file and dropped by ID, and the file stays private', async () => {
  const dataDir = folder()
  const { file } = await newSource(dataDir)
  const [old = ''] = readIds(dataDir)
  const added = await addKey(file, [])
  assert.deepEqual(readIds(dataDir), [added.id, old])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  await dropKeys(file, [old, 'ffffffff'])
  assert.deepEqual(readIds(dataDir), [added.id])
  assert.equal((await readFile(file, 'utf8')).includes(added.bytes.toString('base64')), true)
  assert.deepEqual(await readdir(dataDir), ['master.key'])
})

test('the error for a file without keys contains its path but not its content', async () => {
  const dataDir = folder()
  const { file, read } = await newSource(dataDir)
  for (const content of ['', 'findable-content\n']) {
    await writeFile(file, content)
    assert.throws(read, (error) => {
      assert(error instanceof ConfigError && error.message.includes(file))
      return !error.message.includes('findable-content')
    })
  }
})

test('the setting accepts several keys and rejects weak, short or repeated ones without printing them', () => {
  const [one, two] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  assert.deepEqual(readConfig({ LAUREL_MASTER_KEY: `${one}, ${two}` }).masterKeys, [one, two])
  assert.deepEqual(readConfig({}).masterKeys, [])
  for (const given of [
    `${one},${two},${one}`,
    `${one},`,
    `${one},c2hvcnQ=`,
    `${one},${Buffer.alloc(32).toString('base64')}`,
  ]) {
    assert.throws(
      () => readConfig({ LAUREL_MASTER_KEY: given }),
      (error) =>
        error instanceof ConfigError && !given.split(',').some((key) => key !== '' && error.message.includes(key)),
    )
  }
})
