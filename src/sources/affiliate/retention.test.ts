import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openRoutes } from '../../../test/support/affiliate-world.ts'
import { DAY_MS } from '../../platform/calendar.ts'
import { dropOld } from '../../platform/db/retention.ts'
import { setLockDays, setNetworkSecret } from './networks.ts'
import { retainedClicks } from './retention.ts'
import { savePrograms } from './service.ts'

const place = await openRoutes('clicks')
const { ask, db, clock, links } = place
const { publisher } = await place.tenant()
const user = await place.addUser(publisher, 'ada')
const SECRET = 'a-secret-of-awin-0001'
const clicked = clock.at

await db.transaction(async (tx) => {
  const dates = { currency: 'USD', firstDay: null, lastDay: null }
  await savePrograms(tx, [{ offerUid: 'off_a', network: 'awin', addressTemplate: 'https://shop.example/', ...dates }])
  await setNetworkSecret(tx, place.vault, 'awin', SECRET, clock.at)
})

beforeEach(() => {
  clock.at = clicked
})

async function click(): Promise<string> {
  const { headers } = await ask(new URL(links.forUser(user)('off_a')).pathname)
  return /[0-9a-f]{32}/.exec(String(headers.location))?.[0] ?? ''
}

const drop = (retentionDays: number, afterDays: number): Promise<number> =>
  dropOld(db, retainedClicks(retentionDays), new Date(clicked.getTime() + afterDays * DAY_MS))

/** Returns the sub-ids that are still stored; none if any of them has lost its click. */
async function kept(): Promise<string[]> {
  const rows = await db.reader<{ subId: string }[]>`
    select s.sub_id from sub_ids s join clicks c using (user_id, click_id)
    where (select count(*) from clicks) = (select count(*) from sub_ids)
    order by s.sub_id`
  return rows.map(({ subId }) => subId)
}

test('a click is dropped after its retention period, unless it led to a reported sale', async () => {
  const [unsold, sold] = [await click(), await click()]
  const sale = { sub_id: sold, order_id: 'A-1', amount: '5', status: 'pending', secret: SECRET }
  assert.equal((await ask(`/postbacks/awin?${new URLSearchParams(sale)}`)).status, 200)
  await drop(400, 399)
  assert.deepEqual(await kept(), [sold, unsold].sort())
  await drop(400, 401)
  assert.deepEqual(await kept(), [sold])
  // The network's decision on the sale is still matched to its click.
  const decision = { ...sale, status: 'approved' }
  assert.equal((await ask(`/postbacks/awin?${new URLSearchParams(decision)}`)).status, 200)
  const [row] = await db.reader<{ known: bigint }[]>`
    select count(*) as known from postbacks where sub_id = ${sold} and user_id = ${user}`
  assert.equal(row?.known, 2n)
})

test('a click is retained while its network may still report a sale, even past its retention period', async () => {
  await db.transaction((tx) => setLockDays(tx, 'awin', 365, clock.at))
  const subId = await click()
  await drop(1, 454)
  assert((await kept()).includes(subId))
  await drop(1, 456)
  assert(!(await kept()).includes(subId))
})

test('clicks are dropped in bounded batches', async () => {
  await db.transaction(async (tx) => {
    await tx`
      insert into clicks (user_id, click_id, publisher_id, offer_uid, clicked_at)
      select ${user}, gen_random_uuid(), ${publisher.id}, 'off_a', ${clicked} from generate_series(1, 5001)`
    await tx`
      insert into sub_ids (sub_id, user_id, click_id, publisher_id, offer_uid, network, clicked_at)
      select replace(click_id::text, '-', ''), user_id, click_id, publisher_id, offer_uid, 'awin', clicked_at
      from clicks c where not exists (select 1 from sub_ids s where s.click_id = c.click_id)`
  })
  assert.deepEqual([await drop(1, 500), (await drop(1, 500)) < 5000], [5000, true])
  assert.equal((await kept()).length, 1)
})
