import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { renderBanner } from './banner.ts'

const shown = {
  url: 'http://127.0.0.1:8080',
  simulatorUrl: null,
  networkUrl: null,
  apiKey: null,
  enterToken: 'token',
  portalUrl: 'http://127.0.0.1:8080/portal/enter/link',
}
const banner = (changes: Partial<typeof shown | { enterToken: null; portalUrl: null }> = {}) =>
  stripVTControlCharacters(renderBanner({ ...shown, ...changes }).join('\n'))

test('the banner states how long its links are valid and which commands create new ones', () => {
  assert.match(banner(), /Console +\S+\/console\/enter#token +signs you in once, valid for 24 hours\n/)
  assert.match(banner(), /Portal +\S+\/enter\/link +signs in as ada once, valid for 15 minutes\n/)
  assert.match(
    banner(),
    /New links +\.\/laurel demo, or \.\/laurel accounts link ACCOUNT +see \.\/laurel accounts list/,
  )
  const plain = banner({ enterToken: null, portalUrl: null })
  assert.match(plain, /Console +http:\/\/127\.0\.0\.1:8080\/console\n/)
  assert.doesNotMatch(plain, /valid for|New links/)
})
