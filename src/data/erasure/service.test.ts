import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { CHECKING, openRedeemer, type Redeemer } from '../../../test/support/redemptions.ts'
import { toUserId } from '../../platform/ids.ts'

let app: TestApp
let redeemer: Redeemer

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  redeemer = await openRedeemer(app)
})
after(() => app.close())

const erase = (name: string) => redeemer.call('POST', `/users/${name}/erase`, { confirm: name })

const CARD = { offer_uid: 'offer-gadgets-gift', items: [{ denomination: 25, quantity: 1 }] }

async function refusals(name: string) {
  const answers = await Promise.all([
    redeemer.redeem(name, { amount: 2, external_ref: `payout of ${name}` }),
    redeemer.call('PUT', `/users/${name}/payout-destination`, CHECKING),
    redeemer.call('POST', '/gift-cards/orders', { publisher_user_id: name, external_ref: `card of ${name}`, ...CARD }),
    redeemer.call('GET', `/users/${name}/statement`),
    redeemer.call('GET', `/users/${name}`),
  ])
  return answers.map(({ status, body }) => `${status} ${body.code}`)
}

test('once an erasure is requested, the user can no longer redeem, order or be looked up', async () => {
  await redeemer.user('ann', 4)
  const { status, body } = await erase('ann')
  assert.equal(status, 200)
  const unknown = Array.from({ length: 5 }, () => '404 user_not_found')
  assert.deepEqual(await refusals('ann'), unknown)
  await redeemer.days(1)
  assert.equal((await redeemer.call('GET', `/erasures/${body.erasure_id}`)).body.status, 'done')
  assert.deepEqual(await refusals('ann'), unknown)
  const told = await app.owner.reader`
    select type from events
    where user_id = ${toUserId(redeemer.publisher.id, 'ann')} and type <> 'user.erased'
      and (stored_data::text like '%ann%' or stored_data ->> 'erased' is null)`
  assert.deepEqual([...told], [])
})

test('when an erasure races with redemptions, only one side succeeds and the other is rejected', async () => {
  const names = ['bob', 'cyd', 'dan', 'eve']
  for (const name of names) await redeemer.user(name, 2)
  for (const name of names) {
    const redeem = () => redeemer.redeem(name)
    const erased = names.indexOf(name) % 2 === 0 ? [erase(name), redeem()] : [redeem(), erase(name)]
    const statuses = (await Promise.all([...erased, redeem(), redeem()])).map((answer) => answer.status)
    const isErased = statuses[names.indexOf(name) % 2] === 200
    const redeemed = statuses.filter((status) => status === 200).length - Number(isErased)
    assert.equal(redeemed, isErased ? 0 : 1, `${name}: ${statuses}`)
  }
})
