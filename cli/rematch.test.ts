import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../src/platform/db/database.ts'
import { encodeId } from '../src/platform/ids.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { openRematchWorld } from '../test/support/rematch-world.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const folder = await dataFolder()
const db = openDatabase((await testDatabase('cli_rematch')).url)
after(() => db.close())
const env = { DATABASE_URL: db.url, LAUREL_DATA_DIR: folder }
const world = await openRematchWorld(db)
const publisher = await world.publisher()
const userId = await world.user(publisher)
const of = ['--publisher', encodeId('pub', publisher.id)]

test('an operator decides a review, previews the affected purchases, then applies and undoes a re-match', async () => {
  await world.report(publisher, userId, [{ id: 'a', amount: 10_000, day: 0, shop: 'QUILLFEATHER DENTAL' }])
  const { reviews } = await laurelJson(['review', 'list', ...of], env)
  assert.deepEqual([reviews.length, reviews[0].proposed_brand_uid], [1, 'five'])
  const uid = reviews[0].review_uid
  const { stdout: table } = await laurel(['review', 'list'], env)
  assert.match(table, new RegExp(`^${uid} +Histories +quillfeather dental +Quillfeather +five `, 'm'))
  assert.match((await laurel(['review', 'show', uid], env)).stdout, /QUILLFEATHER DENTAL/)
  assert.equal((await laurel(['review', 'decide', uid, '--by', 'Ana'], env)).code, 2)
  const decided = await laurelJson(['review', 'decide', uid, '--brand', 'five', '--for-all', '--by', 'Ana'], env)
  assert.equal(decided.closed, 1)
  const named = [...of, '--template', decided.rematch.template, '--since', decided.rematch.since]
  const preview = await laurelJson(['rematch', 'preview', ...named], env)
  assert.deepEqual([preview.changed, preview.totals[0].user_cashback], [1, { before: 0, after: 3.5 }])
  const order = ['rematch', 'apply', ...named, '--by', 'Ana', '--reason', 'it is ours', '--hash', preview.hash]
  const applied = await laurelJson(order, env)
  assert.deepEqual(applied.totals, preview.totals)
  assert.deepEqual([applied.filter.template, applied.hash], [decided.rematch.template, preview.hash])
  const { changes } = await laurelJson(['rematch', 'show', applied.rematch_uid], env)
  assert.deepEqual(changes, preview.changes)
  assert.match((await laurel(['rematch', 'show', applied.rematch_uid], env)).stdout, /none → five/)
  const again = await laurel(order, env)
  assert.equal(again.code, 1)
  assert.match(again.stderr, /has changed/)
  const undone = await laurelJson(['rematch', 'undo', applied.rematch_uid, '--by', 'Ben'], env)
  assert.deepEqual([undone.changed, undone.undoes, undone.decided_by], [1, applied.rematch_uid, 'Ben'])
  assert.deepEqual(await world.shown(publisher, userId), ['CANCELLED unmatched 0'])
  assert.equal((await laurelJson(['rematch', 'list', ...of], env)).rematches.length, 2)
  const { aliases } = await laurelJson(['review', 'aliases'], env)
  assert.deepEqual([aliases[0].brand_uid, aliases[0].decided_by, aliases[0].publisher_id], ['five', 'Ana', null])
  await laurelJson(['review', 'revoke', aliases[0].alias_uid, '--by', 'Ben'], env)
  assert.equal((await laurelJson(['review', 'aliases'], env)).aliases[0].revoked_by, 'Ben')
  const entriesBy = async (name: string) => (await laurelJson(['audit', 'list', '--actor', name], env)).entries
  const actions = [...(await entriesBy('Ben')), ...(await entriesBy('Ana'))].map((entry) => entry.action)
  const rematch = ['rematch.applied', 'rematch.begun', 'review.decided']
  assert.deepEqual(actions, ['alias.revoked', 'rematch.undone', 'rematch.begun', ...rematch])
})
