import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { EVENT_TYPES } from '../../src/events/index.ts'
import { SETTINGS } from '../../src/platform/config/settings.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import { setAccount } from '../../src/purchases/linker/index.ts'
import { REFUSALS } from '../../src/refusals.ts'
import { type Call, makeCaller, startTestApp } from '../support/app.ts'
import {
  answerAsShown,
  at,
  checkCommand,
  type Json,
  type Names,
  parseSteps,
  parseWords,
} from '../support/documented-calls.ts'

// Makes the calls in docs/linking and compares the responses with those that the guide shows.

const folder = new URL('../../docs/linking/', import.meta.url)
const parts = new Map<string, string>()
for (const name of await readdir(folder)) parts.set(name, await readFile(new URL(name, folder), 'utf8'))
const overview = await readFile(new URL('../../docs/linking.md', import.meta.url), 'utf8')
const catalog = await readFile(new URL('../../db/sample/catalog.json', import.meta.url), 'utf8')

const masterKey = randomBytes(32).toString('base64')
const app = await startTestApp({ masterKey })
after(() => app.close())

test('the calls in the tutorial and in way B work in sequence and respond as the guide shows', async () => {
  await app.catalog(JSON.parse(catalog))
  await setOwnAccount()
  const names: Names = new Map([
    ['LAUREL', app.service.url],
    ['SIMULATOR', app.simulatorUrl],
    ['KEY', app.apiKey],
  ])
  const call = makeCaller(app.service.url, null)
  let last: Json = null
  let count = 0
  for (const { command, shown, kept } of parseSteps(readPart('tutorial') + readPart('own-account'))) {
    if (command !== null && shown !== null) {
      last = await answerAsShown(call, parseWords(command, names), shown)
      count++
    }
    if (kept !== null) names.set(kept.name, String(at(last, kept.path)))
  }
  assert(count >= 20, `only ${count} calls were found in the documents`)
})

test('the simulator accepts every documented failure for a newly linked card', async () => {
  const calls = readPart('failures')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => [...line.matchAll(/`POST (\/_sim\/\S+?)(?: (\{[^`]*\}))?`/g)])
  assert(calls.flat().length >= 20, 'the table of failures was not understood')
  const ask = makeCaller(app.simulatorUrl, null)
  for (const [index, row] of calls.entries()) {
    if (row.length === 0) continue
    const ids = await newCard(ask, `user-${index}`)
    const filled = (text: string): string =>
      text.replaceAll(/\{([a-z]+_id)\}/g, (_text, name: string) => ids[name] ?? '')
    for (const [, path = '', body = '{}'] of row) {
      const answer = await ask('POST', filled(path), filled(body))
      assert.equal(answer.status, 200, `${path} ${body} returns ${JSON.stringify(answer.body)}`)
    }
    await ask('DELETE', '/_sim/faults')
    await ask('DELETE', '/_sim/webhooks')
  }
})

test('the errors, statuses, events, settings and commands that the guide mentions exist', async () => {
  const document = [overview, ...parts.values()].join('\n')
  const refused = [...readPart('refusals').matchAll(/^\| (\d{3}) \| (`[^|]+`) \|/gm)]
  const listed = refused.flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, Number(status)] as const),
  )
  for (const [code, status] of listed)
    assert.equal(Object.entries(REFUSALS).find(([known]) => known === code)?.[1].status, status, code)
  const ours = Object.keys(REFUSALS).filter((code) =>
    /^(linker_|link_not|account_already|redirect_|android_)/.test(code),
  )
  for (const code of ours)
    assert(
      listed.some(([known]) => known === code),
      `the refusals lack ${code}`,
    )
  const types: readonly string[] = EVENT_TYPES
  for (const [type] of document.matchAll(/(?<=`)(card|link|transaction|reward)\.[a-z_]+(?=`)/g))
    assert(types.includes(type), type)
  for (const type of types.filter((one) => /^(card|link)\./.test(one))) assert(document.includes(`| \`${type}\``), type)
  for (const [name] of document.matchAll(/LAUREL_[A-Z_]+/g))
    assert(
      SETTINGS.some((setting) => setting.name === name),
      name,
    )
  const commands = [...document.matchAll(/\.\/laurel( [^`\n]+|(?=`))/g)].map(([, words = '']) =>
    words.trim().split(' '),
  )
  assert(commands.length >= 12)
  for (const words of commands) await checkCommand(words)
})

/** Stores the publisher's own provider account, as the operator's command in the guide does. */
async function setOwnAccount(): Promise<void> {
  const found = /^echo (\S+) \| \.\/laurel publishers provider-account set .* --client-id (\S+)$/m.exec(
    readPart('own-account'),
  )
  assert(found !== null)
  const [, secret = '', clientId = ''] = found
  const account = { clientId, secret, by: 'operator', force: false }
  await app.service.db.transaction((tx) =>
    setAccount(tx, createVault(masterKey), app.publisher.id, account, new Date()),
  )
}

/** Links a card for a separate user on the simulator, with a pending and a posted purchase. */
async function newCard(ask: Call, username: string): Promise<Readonly<Record<string, string>>> {
  const keys = { client_id: 'laurel', secret: 'laurel' }
  const options = { override_username: username, override_password: 'pass_good' }
  const wish = { ...keys, institution_id: 'ins_109508', initial_products: ['transactions'], options }
  const { public_token } = (await ask('POST', '/sandbox/public_token/create', wish)).body
  const { item_id } = (await ask('POST', '/item/public_token/exchange', { ...keys, public_token })).body
  const buy = async (pending: boolean): Promise<string> =>
    (await ask('POST', '/_sim/purchases', { item_id, merchant: 'Shake Shack', amount: 24, pending })).body
      .transaction_id
  const { items } = (await ask('GET', `/_sim/items?item_id=${item_id}`)).body
  return {
    item_id,
    account_id: items[0].accounts[0].account_id,
    pending_id: await buy(true),
    posted_id: await buy(false),
  }
}

function readPart(name: string): string {
  const text = parts.get(`${name}.md`)
  assert(text !== undefined)
  return text
}
