import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { dataFolder } from '../test-support.ts'
import { readLines } from './lines.ts'

const folder = await dataFolder()

async function linesIn(content: Buffer): Promise<string[]> {
  const file = join(folder, 'catalog.jsonl')
  await writeFile(file, content)
  return Array.fromAsync(readLines(file, () => undefined))
}

test('UTF-8 and UTF-16 lines are read, and other encodings are rejected with advice on converting them', async () => {
  const text = '{"name":"Café"}\n{"name":"Sushi 日本"}\n'
  const lines = ['{"name":"Café"}', '{"name":"Sushi 日本"}']
  for (const content of [Buffer.from(text), Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from(text, 'utf16le')])
    assert.deepEqual(await linesIn(content), lines)
  assert.deepEqual(await linesIn(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()), lines)
  assert.deepEqual(await linesIn(Buffer.from('')), [])
  const refused = /not encoded in UTF-8 or UTF-16\. Convert it, for example with iconv -f windows-1252/
  await assert.rejects(linesIn(Buffer.from('{"name":"Caf\xe9"}', 'latin1')), refused)
})
