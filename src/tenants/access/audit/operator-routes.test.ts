import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { encodeId } from '../../../platform/ids.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

async function subjectName(subject: string): Promise<string | null> {
  const { status, body } = await app.operator('GET', `/operator/audit?subject=${subject}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.content[0].subject_name
}

test("an entry contains its subject's name only if the subject is a person or an operator", async () => {
  const invited = await app.operator('POST', '/operator/staff', { email: 'ivy@laurel.example', role: 'support' })
  assert.equal(await subjectName(invited.body.account_id), 'ivy')
  const { operator_id, name } = (await app.operator('GET', '/operator/me')).body
  assert.equal(await subjectName(operator_id), name)
  const publisherId = encodeId('pub', app.publisher.id)
  await app.operator('PATCH', `/operator/publishers/${publisherId}`, { name: 'Acorn' })
  assert.equal(await subjectName(publisherId), null)
})
