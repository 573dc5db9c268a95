import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { REFUSALS } from '../../src/refusals.ts'
import { callerOf, startTestApp, type TestApp } from '../support/app.ts'
import { answerAsShown, at, type Json, type Names, stepsOf, wordsOf } from '../support/documented-calls.ts'

/** Makes every call in docs/reports.md and compares the responses with the guide. */
const document = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8')

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.close())

test("the guide's calls work in sequence and answer as shown", async () => {
  const created = '2026-01-10T12:00:00Z'
  await app.owner.reader`
    insert into users (user_id, publisher_id, publisher_user_id, created_at, updated_at)
    values (gen_random_uuid(), ${app.publisher.id}, 'ada', ${created}, ${created})`
  const names: Names = new Map([
    ['LAUREL', app.service.url],
    ['KEY', app.apiKey],
  ])
  const call = callerOf(app.service.url, null)
  let last: Json = null
  let count = 0
  for (const { command, shown, kept } of stepsOf(document)) {
    if (command !== null && shown !== null) {
      last = await answerAsShown(call, wordsOf(command, names), shown)
      count++
    }
    if (kept !== null) names.set(kept.name, String(at(last, kept.path)))
  }
  assert.equal(count, 5)
  const file = await fetch((await app.call('GET', `/reports/${names.get('REPORT')}`)).body.url)
  assert.match(await file.text(), /\r\nada,usr_/)
})

test('the guide lists every reports error with its status', () => {
  const listed = [...document.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(([, status, code]) => `${status} ${code}`)
  const refusals = Object.entries(REFUSALS).filter(([code]) => /^report_(?!invalid)/.test(code))
  assert.deepEqual(listed.toSorted(), refusals.map(([code, { status }]) => `${status} ${code}`).toSorted())
})
