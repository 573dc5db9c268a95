import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { laurel } from '../../cli/test-support.ts'
import { EVENT_TYPES } from '../../src/events/index.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { REFUSALS } from '../../src/refusals.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { makeCaller, startTestApp } from '../support/app.ts'
import {
  answerAsShown,
  at,
  checkCommand,
  findDifference,
  type Json,
  type Names,
  parseSteps,
  parseWords,
} from '../support/documented-calls.ts'

// Makes the calls and runs the commands whose results docs/redemptions.md shows, and compares the results.

const document = await readFile(new URL('../../docs/redemptions.md', import.meta.url), 'utf8')
const catalog = await readFile(new URL('../../db/sample/catalog.json', import.meta.url), 'utf8')

const masterKey = randomBytes(32).toString('base64')
const app = await startTestApp({ masterKey })
after(() => app.close())

test("the guide's calls and commands work in sequence and respond as shown", async () => {
  await app.catalog(JSON.parse(catalog))
  await openSandbox()
  const env = { DATABASE_URL: app.owner.url, LAUREL_MASTER_KEY: masterKey }
  const names: Names = new Map([
    ['LAUREL', app.service.url],
    ['KEY', app.apiKey],
    ['PUBLISHER', encodeId('pub', app.publisher.id)],
  ])
  const call = makeCaller(app.service.url, null)
  let last: Json = null
  let count = 0
  for (const { command, shown, kept } of parseSteps(document)) {
    if (command !== null && shown !== null) {
      const words = parseWords(command, names)
      last = words[0] === 'curl' ? await answerAsShown(call, words, shown) : await printsAsShown(words, env, shown)
      count++
    }
    if (kept !== null) names.set(kept.name, String(at(last, kept.path)))
  }
  assert(count >= 15, `only ${count} calls were found in the document`)
})

test('the errors, events and commands in the guide exist, and it lists every error', async () => {
  const listed = [...document.matchAll(/^\| ([\d, ]+) \| (`[^|]+`) \|/gm)].flatMap(([, statuses = '', codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, statuses.split(', ').map(Number)] as const),
  )
  const refusals = Object.entries(REFUSALS)
  for (const [code, statuses] of listed) {
    const status = refusals.find(([known]) => known === code)?.[1].status
    assert(status !== undefined && statuses.includes(status), `${code} has the status ${status}`)
  }
  for (const [code] of refusals.filter(([one]) => /^(redemption|destination|payer|payout)_/.test(one)))
    assert(
      listed.some(([known]) => known === code),
      `the guide lacks ${code}`,
    )
  const types: readonly string[] = EVENT_TYPES
  for (const [type] of document.matchAll(/(?<=`)(redemption|payout_destination)\.[a-z_]+(?=`)/g))
    assert(types.includes(type), type)
  for (const type of types.filter((one) => /^(redemption|payout_destination)\./.test(one)))
    assert(document.includes(`\`${type}\``), type)
  const commands = [...document.matchAll(/\.\/laurel( [^`\n>\\]+)/g)].map(([, words = '']) => words.trim().split(' '))
  assert(commands.length >= 12)
  for (const words of commands) await checkCommand(words)
})

/**
 * Sets up the user and publisher of the `npm start` sandbox. The publisher passes the entire commission on to its
 * users.
 */
async function openSandbox(): Promise<void> {
  await app.service.db.transaction((tx) => changeSettings(tx, app.publisher.id, { feePpm: 0, sharePpm: 0 }))
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
}

async function printsAsShown(
  [program, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  shown: string,
): Promise<Json> {
  assert.equal(program, './laurel')
  const ended = await laurel(args, env)
  assert.equal(ended.code, 0, ended.stderr)
  const printed = JSON.parse(ended.stdout) as Json
  assert.equal(findDifference(JSON.parse(shown), printed), null, `${args.join(' ')}\nprints ${ended.stdout}`)
  return printed
}
