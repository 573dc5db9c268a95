import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SETTINGS } from '../src/platform/config/settings.ts'

const ROOT = new URL('../', import.meta.url)
const read = (path: string): Promise<string> => readFile(new URL(path, ROOT), 'utf8')
const [unit, image] = await Promise.all([read('deploy/laurel@.service'), read('deploy/Containerfile')])

test('the systemd unit and the image reference only settings and files that exist', () => {
  const known = new Set<string>(SETTINGS.map(({ name }) => name))
  const named = [...`${unit}${image}`.matchAll(/\b(?:LAUREL|DATABASE)_[A-Z_]+/g)].map(([name]) => name)
  assert(named.length >= 6)
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  )
  const copied = [...image.matchAll(/^COPY (\w+) \1$/gm)].map(([, folder = '']) => folder)
  const files = [...copied, ...[...unit.matchAll(/\/opt\/laurel\/(\S+\.mjs)/g)].map(([, file = '']) => file)]
  assert.deepEqual([copied.length, files.filter((file) => !existsSync(new URL(file, ROOT)))], [5, []])
})

test('the image has the Node version that the service requires', async () => {
  const { dependencies } = JSON.parse(await read('package.json'))
  assert.equal(/^FROM node:(\d+)/m.exec(image)?.[1], dependencies.node.split('.')[0])
})
