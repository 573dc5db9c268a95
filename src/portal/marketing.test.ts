import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { enterActive, hiddenFields } from '../../test/support/portal.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

type Choice = { readonly agreed: boolean; readonly wording: string; readonly language: string; readonly via: string }

const readChoices = async (user: string): Promise<Choice[]> =>
  (await app.call('GET', `/users/${user}/marketing-choices`)).body.content

test('marketing consent is off by default, and consent and withdrawal are stored with their wording', async () => {
  const { browser, base } = await enterActive(app, app, 'mia')
  const page = await browser('GET', `${base}/you`)
  assert.ok(!page.text.includes('checked'))
  assert.deepEqual(await readChoices('mia'), [])
  const form = `${base}/you/marketing`
  const agreed = await browser('POST', form, hiddenFields(page.text, form))
  assert.equal(agreed.headers.get('location'), `${base}/you?done=marketing`, agreed.text)
  const german = await browser('GET', `${base}/you?lang=de`)
  assert.match(german.text, /Sie haben am .* zugestimmt/)
  await browser('POST', form, hiddenFields(german.text, form))
  const [withdrawn, yes, ...others] = await readChoices('mia')
  assert.deepEqual(others, [])
  assert.deepEqual([withdrawn?.agreed, withdrawn?.language, withdrawn?.via], [false, 'de', 'portal'])
  assert.deepEqual([yes?.agreed, yes?.language], [true, 'en'])
  for (const choice of [withdrawn, yes]) assert.ok(choice?.wording.includes(app.publisher.name))
  const { text } = await browser('GET', `${base}/you?lang=en`)
  assert.ok(text.includes(`<q lang="de">${withdrawn?.wording}</q>`))
  const archive = await browser('GET', `${base}/you/export?format=json`)
  assert.equal(JSON.parse(archive.text).sections.marketing_choices.length, 2)
})

test('a choice is rejected unless its wording matches what the portal currently shows', async () => {
  const { browser, base } = await enterActive(app, app, 'tim')
  const form = `${base}/you/marketing`
  const shown = await browser('GET', `${base}/you`)
  const renamed = { slug: 'renamed', shown_name: 'Acorn Two', hue: 42, chroma: 0.16, frame_ancestors: [] }
  await app.call('PUT', '/portal/settings', renamed)
  for (const fields of [hiddenFields(shown.text, form), {}, { sentence: 'x' }]) {
    const refused = await browser('POST', form, fields)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /The text has changed/)
  }
  assert.deepEqual(await readChoices('tim'), [])
})
