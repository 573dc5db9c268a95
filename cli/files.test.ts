import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { UserError } from './errors.ts'
import { writeWhole } from './files.ts'
import { dataFolder } from './test-support.ts'

const folder = await dataFolder()
const path = (name: string): string => join(folder, name)

test('an unwritable path is reported with the reason, and no temporary file is left behind', async () => {
  await mkdir(path('folder'))
  await writeFile(path('file'), 'as it was')
  const rows: [place: string, why: RegExp][] = [
    [path('missing/out.json'), /: its folder does not exist\.$/],
    [path('file/out.json'), /: its folder is a file\.$/],
    [path('folder'), /: it is a folder\.$/],
    [path('n'.repeat(300)), /: its name is too long\.$/],
  ]
  for (const [place, why] of rows) {
    const work = writeWhole(place, ['one', 'two'])
    await assert.rejects(work, (error: unknown) => {
      assert.ok(error instanceof UserError, String(error))
      assert.ok(error.message.startsWith(`${place} cannot be written`), error.message)
      assert.match(error.message, why)
      return true
    })
  }
  assert.deepEqual((await readdir(folder)).sort(), ['file', 'folder'])
  assert.equal(await readFile(path('file'), 'utf8'), 'as it was')
})

test("if a stream fails midway, the old file stays, and the stream's own error is reported", async () => {
  await writeFile(path('kept'), 'as it was')
  async function* broken(): AsyncGenerator<string> {
    yield 'half'
    throw new Error('the source broke')
  }
  await assert.rejects(writeWhole(path('kept'), broken()), /^Error: the source broke$/)
  assert.equal(await readFile(path('kept'), 'utf8'), 'as it was')
  await writeWhole(path('kept'), ['new ', 'text'])
  assert.equal(await readFile(path('kept'), 'utf8'), 'new text')
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('draft')),
    [],
  )
})
