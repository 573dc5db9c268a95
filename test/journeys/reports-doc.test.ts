import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { REFUSALS } from '../../src/refusals.ts'
import { makeCaller, startTestApp, type TestApp } from '../support/app.ts'
import { answerAsShown, at, type Json, type Names, parseSteps, parseWords } from '../support/documented-calls.ts'

// Makes every call in docs/reports.md and compares the responses with the guide.

const document = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8')

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.close())

test("the guide's calls work in sequence and respond as shown", async () => {
  const created = '2026-01-10T12:00:00Z'
  await app.owner.reader`
    insert into users (user_id, publisher_id, publisher_user_id, created_at, updated_at)
    values (gen_random_uuid(), ${app.publisher.id}, 'ada', ${created}, ${created})`
  const names: Names = new Map([
    ['LAUREL', app.service.url],
    ['KEY', app.apiKey],
  ])
  const call = makeCaller(app.service.url, null)
  let last: Json = null
  let count = 0
  for (const { command, shown, kept } of parseSteps(document)) {
    if (command !== null && shown !== null) {
      last = await answerAsShown(call, parseWords(command, names), shown)
      count++
    }
    if (kept !== null) names.set(kept.name, String(at(last, kept.path)))
  }
  assert.equal(count, 5)
  const file = await fetch((await app.call('GET', `/reports/${names.get('REPORT')}`)).body.url)
  assert.match(await file.text(), /\r\nada,usr_/)
})

test('the guide lists every report error with its status', () => {
  const listed = [...document.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(([, status, code]) => `${status} ${code}`)
  const refusals = Object.entries(REFUSALS).filter(([code]) => /^report_(?!invalid)/.test(code))
  assert.deepEqual(listed.toSorted(), refusals.map(([code, { status }]) => `${status} ${code}`).toSorted())
})
