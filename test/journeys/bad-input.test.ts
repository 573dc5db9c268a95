import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { createApiKey } from '../../src/tenants/access/index.ts'
import { revokeApiKey } from '../../src/tenants/access/keys/keys.ts'
import { SCOPES, type Scope } from '../../src/tenants/publishers/index.ts'
import { type Answer, CATALOG, type Call, makeCaller, startTestApp, type TestApp } from '../support/app.ts'
import { sample } from '../support/runs.ts'
import { type Content, contentAtRest } from './content.ts'
import { NETWORK_SECRET } from './operation-rows.ts'
import { buildAddress, callFor, type Operation, problemFault, readOperations } from './operations.ts'
import type { Row } from './row.ts'
import { getBodySchema, spoiltRequests } from './spoil.ts'

// Sends many kinds of invalid requests to the operations in the API reference. The list of operations comes from the
// running service, so a new operation fails here until operation-rows.ts has a valid request for it.

let app: TestApp
let operations: Operation[]
let untouched: Content
const deadKeys: Record<string, string | null> = { unknown: `lrl_sandbox_${'A'.repeat(43)}`, nonsense: 'x', none: null }
/** Maps each scope to a key that has every other scope. */
const keysWithout = new Map<Scope, string>()

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  for (const publisher_user_id of ['user-1', 'leaver']) await app.call('POST', '/users', { publisher_user_id })
  const { service, publisher } = app
  const now = new Date()
  await service.db.transaction(async (tx) => {
    await setNetworkSecret(tx, service.vault, 'default', NETWORK_SECRET, now)
    const revoked = await createApiKey(tx, publisher, null, now)
    await revokeApiKey(tx, revoked.keyId, now)
    deadKeys['revoked'] = revoked.apiKey
    for (const scope of SCOPES) {
      const others = SCOPES.filter((one) => one !== scope)
      keysWithout.set(scope, (await createApiKey(tx, publisher, others, now)).apiKey)
    }
  })
  operations = await readOperations(service.url)
  untouched = await contentAtRest(service.db.reader)
})

after(() => app.close())

type Asked = { readonly answer: Answer; readonly fault: (status: number) => string | null }

async function ask(call: Call, operation: Operation, request: Row): Promise<Asked> {
  const path = buildAddress(operation, request)
  const answer = await call(operation.method, path, request.body, request.headers)
  return { answer, fault: (status) => problemFault(answer, status, path) }
}

/** Reports the faults of all operations together, in one list. */
function assertNone(faults: readonly string[]): void {
  assert.equal(faults.length, 0, `${faults.length} faults:\n${faults.slice(0, 40).join('\n')}`)
}

/** Sends the request with credentials that allow it. */
const askRightly = (operation: Operation, request: Row): Promise<Asked> =>
  ask(callFor(app, operation.row.scope), operation, request)

const guarded = (): Operation[] => operations.filter(({ row }) => row.scope !== 'open')

test('no operation reveals or does anything without a valid key', async () => {
  const faults: string[] = []
  for (const [name, key] of Object.entries(deadKeys)) {
    const call = makeCaller(app.service.url, key)
    // Without a key, every operation that needs one is called. Invalid keys are all rejected in one place, so a sample
    // is enough.
    for (const operation of key === null ? guarded() : sample(guarded(), 1 / 4)) {
      const { answer, fault } = await ask(call, operation, operation.row)
      const wrong = fault(401) ?? (answer.body.code === (key === null ? 'key_missing' : 'key_invalid') ? null : 'code')
      if (wrong !== null) faults.push(`${operation.operationId}, ${name} key: ${wrong}`)
      if (!answer.headers.get('www-authenticate')) faults.push(`${operation.operationId}: tells no way to authenticate`)
    }
  }
  assertNone(faults)
})

test('a key without the required scope is rejected even if it has all other scopes', async () => {
  const faults: string[] = []
  for (const [scope, apiKey] of keysWithout) {
    const call = makeCaller(app.service.url, apiKey)
    for (const operation of operations.filter(({ row }) => row.scope === scope)) {
      const { answer, fault } = await ask(call, operation, operation.row)
      const wrong = fault(403) ?? (answer.body.code === 'scope_missing' ? null : 'has another code')
      if (wrong !== null) faults.push(`${operation.operationId} without ${scope}: ${wrong}`)
    }
  }
  assertNone(faults)
})

test('a request with one invalid field is rejected with a 400 that identifies the field', async () => {
  const faults: string[] = []
  const spoilt = operations.flatMap((operation) => [...spoiltRequests(operation)].map((one) => ({ operation, ...one })))
  const tried = sample(spoilt, 1 / 5)
  for (const { operation, what, field, request } of tried) {
    const { answer, fault } = await askRightly(operation, request)
    const wrong = fault(400) ?? fieldFault(answer, field)
    if (wrong !== null) faults.push(`${operation.operationId}, ${what} (${field}): ${wrong}`)
  }
  assertNone(faults)
  assert.ok(tried.length > 200, `only ${tried.length} requests were made`)
})

function fieldFault({ body }: Answer, field: string): string | null {
  const { errors } = body as { errors: { field: string; code: unknown; message: unknown }[] }
  const named = errors.map((one) => one.field)
  if (named.length !== 1 || named[0]?.split('.')[0] !== field) return `names ${named.join(' and ') || 'nothing'}`
  const [error] = errors
  return typeof error?.code === 'string' && typeof error.message === 'string' ? null : 'has an error without its parts'
}

test('each operation that needs no key answers an anonymous request as expected', async () => {
  const keyless = makeCaller(app.service.url, null)
  const open = operations.filter(({ row }) => row.scope === 'open')
  const expected: Readonly<Record<string, number>> = {
    acceptInvitation: 410,
    beginPasskeySignIn: 200,
    downloadReport: 404,
    enterByLink: 410,
    finishSignIn: 401,
    followLink: 404,
    getBrandImage: 200,
    getInstitutionLogo: 404,
    receivePostback: 401,
    receivePostbackByQuery: 401,
    requestPasswordReset: 200,
    resetPassword: 410,
    signIn: 401,
    signInByPasskey: 401,
    takeLinkerWebhook: 401,
  }
  for (const operation of open) {
    const { headers: _, ...unproven } = operation.row
    const { answer, fault } = await ask(keyless, operation, unproven)
    const status = expected[operation.operationId] ?? 0
    assert.equal(status === 200 ? answer.status : (fault(status) ?? 200), 200, operation.operationId)
  }
})

test('rejected requests change nothing, and only failed sign-ins are audited', async () => {
  const { audit_log: auditedBefore, ...before } = untouched
  const { audit_log: _after, ...after } = await contentAtRest(app.service.db.reader)
  assert.deepEqual(after, before)
  const [audited] = await app.service.db.reader<{ count: string }[]>`
    select count(*) from audit_log where action <> 'account.sign_in_failed'`
  assert.ok(auditedBefore?.startsWith(`${audited?.count} rows`))
})

test('a valid request to each operation returns a status that the API reference declares', async () => {
  const faults: string[] = []
  for (const operation of operations) {
    const { answer } = await askRightly(operation, operation.row)
    if (operation.responses[answer.status] === undefined)
      faults.push(`${operation.operationId} answered ${answer.status}`)
  }
  assertNone(faults)
})

test('a null optional field is treated as absent', async () => {
  const faults: string[] = []
  for (const operation of operations) {
    const { required = [], properties = {} } = getBodySchema(operation) ?? {}
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    if (optional.length === 0) continue
    const needed = Object.entries(operation.row.body ?? {}).filter(([name]) => required.includes(name))
    const empty = Object.fromEntries(optional.map((name) => [name, null]))
    const bare = await askRightly(operation, { ...operation.row, body: Object.fromEntries(needed) })
    const nulls = await askRightly(operation, {
      ...operation.row,
      body: { ...empty, ...Object.fromEntries(needed) },
    })
    // In an update, null clears the field, and repeating the same update may conflict.
    const same = nulls.answer.status === bare.answer.status || nulls.answer.status < 400 || nulls.answer.status === 409
    if (!same) faults.push(`${operation.operationId}: ${bare.answer.status}, ${JSON.stringify(nulls.answer.body)}`)
  }
  assertNone(faults)
})
