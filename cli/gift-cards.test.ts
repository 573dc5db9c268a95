import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type GiftCardApp, startGiftCardApp } from '../src/payouts/gift-cards/test-support.ts'
import { laurel, laurelJson } from './test-support.ts'

let app: GiftCardApp

before(async () => {
  app = await startGiftCardApp()
})

after(() => app.closeWithSoundBooks())

test('an operator can allow a gift card to be revealed once more, but never sees its code', async () => {
  const { databaseUrl, masterKeys } = app.service.config
  const env = { DATABASE_URL: databaseUrl ?? '', LAUREL_MASTER_KEY: masterKeys.join(' ') }
  const { cards } = await app.deliver(await app.user(), { 25: 1 })
  const [{ card_id: card }] = cards
  const reveal = () => app.call('POST', `/gift-cards/${card}/reveal`)
  const { body: shown } = await reveal()
  assert.equal((await reveal()).status, 409)
  const allow = ['gift-cards', 'allow-reveal', card, '--reason', 'lost']
  const { code, stdout } = await laurel([...allow, '--by', 'Ada'], env)
  assert.equal(code, 0)
  assert.match(stdout, /can be shown once more\. It was first shown at \d{4}-/)
  assert.ok(!stdout.includes(shown.number) && !stdout.includes(shown.code))
  assert.deepEqual((await reveal()).body, shown)
  const { entries } = await laurelJson(['audit', 'list', '--actor', 'Ada'], env)
  assert.deepEqual([entries.length, entries[0].subject, entries[0].after], [1, card, { reason: 'lost' }])
  const { card_id } = await laurelJson(allow, env)
  assert.equal(card_id, card)
  for (const unknown of ['gcd_01kbjyt5v3f4nvj5yq5yfypr9v', 'none'])
    assert.equal((await laurel(['gift-cards', 'allow-reveal', unknown, '--reason', 'lost'], env)).code, 1)
})
