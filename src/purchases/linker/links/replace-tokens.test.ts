import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  addUser,
  atSimulator,
  CLIENT,
  createClient,
  depsWith,
  link,
  openWorld,
  publicToken,
  work,
} from '../../../../test/support/linker-world.ts'
import { setAccount } from '../accounts/provider-accounts.ts'
import { listItems } from '../item-queries.ts'
import { ProviderFault } from '../provider.ts'
import { openToken } from '../sealed-tokens.ts'
import { replaceTokens } from './replace-tokens.ts'

const world = await openWorld('replace_tokens')
after(world.close)
const { deps, db, publisher } = world
const client = await createClient(world)

async function readToken(userId: Awaited<ReturnType<typeof addUser>>['userId']): Promise<string> {
  const [item] = await listItems(db.reader, publisher.id, userId)
  assert(item !== undefined)
  return openToken(deps.vault, item, item.sealedToken)
}

const works = (token: string): Promise<boolean> =>
  deps.providers.sandbox.listAccounts(token).then(
    () => true,
    (error) => {
      assert(error instanceof ProviderFault && error.kind === 'refused', String(error))
      return false
    },
  )

test('replaced tokens stop working, but the links keep working and can be removed', async () => {
  const [one, other] = [await addUser(world, 'one'), await addUser(world, 'other')]
  for (const name of ['one', 'other']) assert.equal((await link(world, client, name, `user-${name}`)).status, 200)
  const [old, untouched] = [await readToken(one.userId), await readToken(other.userId)]
  const ofOne = await replaceTokens(deps, publisher.id, one.userId)
  assert.deepEqual([ofOne.replaced.length, ofOne.refused, ofOne.uncertain], [1, [], []])
  assert.deepEqual([await works(old), await works(await readToken(one.userId))], [false, true])
  assert.equal(await readToken(other.userId), untouched)
  const ofAll = await replaceTokens(deps, publisher.id, null)
  assert.equal(ofAll.replaced.length, 2)
  assert.equal(await works(untouched), false)
  await work(world)
  const [item] = await db.reader<{ read: boolean }[]>`
    select synced_at is not null as read from linker_items where user_id = ${one.userId}`
  assert.equal(item?.read, true)
  const last = await readToken(one.userId)
  assert.equal((await client('DELETE', '/linker/access-token/one/ins_109508')).status, 200)
  await work(world)
  assert.equal(await works(last), false)
})

test('an item unlinked while its token is being replaced can still be removed', async () => {
  const { userId } = await addUser(world, 'leaving')
  assert.equal((await link(world, client, 'leaving', 'user-leaving')).status, 200)
  const patient = {
    ...deps.providers.sandbox.patient,
    replaceToken: async (token: string) => {
      const replaced = await deps.providers.sandbox.replaceToken(token)
      assert.equal((await client('DELETE', '/linker/access-token/leaving/ins_109508')).status, 200)
      return replaced
    },
  }
  assert.equal((await replaceTokens(depsWith(world, { patient }), publisher.id, userId)).replaced.length, 1)
  await work(world)
  const left = await db.reader`select 1 from item_removals where user_id = ${userId}`
  assert.equal(left.length, 0)
})

test('a rejected replacement keeps the token, and a lost response is reported as uncertain', async () => {
  const { userId } = await addUser(world, 'unlucky')
  assert.equal((await link(world, client, 'unlucky', 'user-unlucky')).status, 200)
  const before = await readToken(userId)
  const path = '/item/access_token/invalidate'
  await atSimulator(world, '/_sim/faults', { kind: 'error', error_code: 'ITEM_LOGIN_REQUIRED', path })
  assert.equal((await replaceTokens(deps, publisher.id, userId)).refused.length, 1)
  assert.deepEqual([await readToken(userId), await works(before)], [before, true])
  await atSimulator(world, '/_sim/faults', { kind: 'lost_answer', path })
  assert.equal((await replaceTokens(deps, publisher.id, userId)).uncertain.length, 1)
  assert.deepEqual([await readToken(userId), await works(before)], [before, false])
})

test('tokens that a publisher handed over are kept, but other tokens of its account are replaced', async () => {
  const { userId } = await addUser(world, 'own')
  await db.transaction((tx) =>
    setAccount(tx, deps.vault, publisher.id, { ...CLIENT, by: 'test', force: false }, world.clock.now()),
  )
  const public_token = await publicToken(world, 'user-own')
  const { access_token } = await atSimulator(world, '/item/public_token/exchange', { public_token })
  const body = { publisher_user_id: 'own', institution_id: 'ins_109508', institution_name: 'Bank' }
  assert.equal(
    (await client('POST', '/linker/access-token', { ...body, provider_access_token: access_token })).status,
    200,
  )
  const ended = await replaceTokens(deps, publisher.id, userId)
  assert.deepEqual(ended, { replaced: [], refused: [], uncertain: [] })
  assert.equal(await works(String(access_token)), true)
  // The client id in these tests is also the service's.
  const linked = { public_token: await publicToken(world, 'user-kept'), institution_id: 'ins_109508' }
  const { userId: keeping } = await addUser(world, 'kept')
  const answer = await client('POST', '/linker/public-token/kept', { ...linked, institution_name: 'Bank' })
  assert.equal(answer.status, 200)
  assert.equal((await replaceTokens(deps, publisher.id, keeping)).replaced.length, 1)
})
