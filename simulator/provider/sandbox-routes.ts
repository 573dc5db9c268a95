import Type from 'typebox'
import { CUSTOM_USERNAME, readCustomUser } from '../custom-user.ts'

import { buildStoredError, ProviderError } from '../errors.ts'
import { announceUpdates, put } from '../feed.ts'
import { getInstitution } from '../institutions.ts'
import { getItemByToken } from '../items.ts'
import { draftItem, issuePublicToken, type Login, listSharedAccounts } from '../linking.ts'
import { breakLogin, refuseWhenBroken } from '../logins.ts'
import { subtractDays } from '../past.ts'
import { getCurrentKey } from '../signing.ts'
import { type Item, lookUp } from '../state.ts'
import { buildRow } from '../transactions.ts'
import { DYNAMIC_USERNAME, MFA_CODE, signInOutcome } from '../users.ts'
import { toDay, type World } from '../world.ts'
import { type App, type Call, call, readClient } from './door.ts'
import { checkWebhook } from './link-routes.ts'

const access_token = Type.String()

const CREATE = {
  institution_id: Type.String(),
  initial_products: Type.Array(Type.String(), { minItems: 1 }),
  options: Type.Optional(
    Type.Object({
      webhook: Type.Optional(Type.String()),
      override_username: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      override_password: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      transactions: Type.Optional(
        Type.Object({ days_requested: Type.Optional(Type.Integer({ minimum: 1, maximum: 730 })) }),
      ),
    }),
  ),
  user_token: Type.Optional(Type.String()),
}

const Day = Type.String({ format: 'date' })
const ADD = {
  access_token,
  transactions: Type.Array(
    Type.Object(
      {
        date_transacted: Day,
        date_posted: Day,
        amount: Type.Number(),
        description: Type.String({ minLength: 1 }),
        iso_currency_code: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 10 },
  ),
}
const OLDEST_ADDED_DAYS = 14

export function sandboxRoutes(app: App, world: World): void {
  app.post('/sandbox/public_token/create', { schema: { body: call(CREATE) } }, async (request) => {
    const item = draftItem(world, readLogin(request.body, readClient(request)))
    return { public_token: issuePublicToken(world, { kind: 'new', item }).token }
  })

  app.post('/sandbox/item/reset_login', { schema: { body: call({ access_token }) } }, async (request) => {
    breakLogin(world, getItemByToken(world, request.body.access_token))
    return { reset_login: true }
  })

  app.post('/sandbox/transactions/create', { schema: { body: call(ADD) } }, async (request) => {
    const item = getItemByToken(world, request.body.access_token)
    refuseWhenBroken(item)
    addTransactions(world, item, request.body.transactions)
    return {}
  })

  const fire = call({ access_token, webhook_code: Type.String(), webhook_type: Type.Optional(Type.String()) })
  app.post('/sandbox/item/fire_webhook', { schema: { body: fire } }, async (request) => {
    const item = getItemByToken(world, request.body.access_token)
    const { type, fields } = sampleWebhook(world, item, request.body.webhook_code)
    if (item.webhook === null) throw new ProviderError('SANDBOX_WEBHOOK_INVALID', 'the item has no webhook URL')
    world.webhooks.send(item, type, request.body.webhook_code, fields)
    return { webhook_fired: true }
  })

  app.post('/webhook_verification_key/get', { schema: { body: call({ key_id: Type.String() }) } }, async (request) => {
    getCurrentKey(world.state, world.changed)
    const key = world.state.signingKeys.find(({ kid }) => kid === request.body.key_id)
    if (key === undefined) throw new ProviderError('INVALID_WEBHOOK_VERIFICATION_KEY_ID', 'the key_id is unknown')
    const createdAt = Math.floor(Date.parse(key.createdAt) / 1000)
    return {
      key: { ...key.publicJwk, alg: 'ES256', kid: key.kid, use: 'sig', created_at: createdAt, expired_at: null },
    }
  })
}

/**
 * Reads the login to link without the link page. There is no real user, so the client_user_id is derived from the
 * username.
 */
function readLogin({ institution_id, initial_products, options = {} }: Call<typeof CREATE>, clientId: string): Login {
  const username = options.override_username ?? 'user_good'
  const webhook = options.webhook ?? null
  getInstitution(institution_id)
  if (webhook !== null) checkWebhook(webhook)
  const password = options.override_password ?? 'pass_good'
  const custom = username === CUSTOM_USERNAME ? readCustomUser(password) : null
  if (custom === null) checkSignIn(username, password)
  return {
    clientId,
    clientUserId: `sandbox:${username}`,
    institutionId: institution_id,
    username,
    products: initial_products,
    webhook,
    accountFilters: null,
    daysRequested: options.transactions?.days_requested,
    ...(custom === null ? {} : { custom }),
  }
}

/** Assumes that a user who needs a code has entered it, because the sandbox call has no page to enter it on. */
function checkSignIn(username: string, password: string): void {
  const outcome = signInOutcome(username, password, MFA_CODE)
  if (outcome === 'locked') throw new ProviderError(buildStoredError('ITEM_LOCKED'))
  if (outcome !== 'signed_in') {
    throw new ProviderError('INVALID_CREDENTIALS', 'the username or password is not right')
  }
}

/**
 * Adds transactions under the provider's rules: only to items of this one user, only to a depository account, and only
 * from the last 14 days.
 */
function addTransactions(world: World, item: Item, transactions: Call<typeof ADD>['transactions']): void {
  const account = listSharedAccounts(item).find(({ type }) => type === 'depository')
  if (item.username !== DYNAMIC_USERNAME || account === undefined) {
    throw new ProviderError(
      'INVALID_FIELD',
      `only items of ${DYNAMIC_USERNAME} with a depository account accept transactions`,
    )
  }
  const now = world.getNow(item)
  const [oldest, today] = [subtractDays(now, OLDEST_ADDED_DAYS), toDay(now)]
  for (const { date_transacted, date_posted } of transactions) {
    if ([date_transacted, date_posted].some((day) => day < oldest || day > today)) {
      throw new ProviderError('INVALID_FIELD', `dates must be within the last ${OLDEST_ADDED_DAYS} days`)
    }
  }
  for (const {
    date_transacted,
    date_posted,
    amount,
    description,
    iso_currency_code: currency = 'USD',
  } of transactions) {
    const bought = { merchant: description, amount, currency, date: date_posted, authorized_date: date_transacted }
    put(item, { row: buildRow(bought, account, today), refundOf: null })
  }
  announceUpdates(world, item)
}

type Sample = { readonly type: 'ITEM' | 'TRANSACTIONS'; readonly fields: Readonly<Record<string, unknown>> }

/** Builds a sample webhook with this code for an item. Sending it does not change the item. */
function sampleWebhook(world: World, item: Item, code: string): Sample {
  const inAWeek = new Date(world.getNow(item).getTime() + 7 * 86_400_000).toISOString()
  const complete = { initial_update_complete: true, historical_update_complete: true }
  const samples: Readonly<Record<string, Sample>> = {
    SYNC_UPDATES_AVAILABLE: { type: 'TRANSACTIONS', fields: complete },
    DEFAULT_UPDATE: { type: 'TRANSACTIONS', fields: { new_transactions: 0, error: null } },
    NEW_ACCOUNTS_AVAILABLE: { type: 'ITEM', fields: { error: null } },
    LOGIN_REPAIRED: { type: 'ITEM', fields: {} },
    PENDING_DISCONNECT: {
      type: 'ITEM',
      fields: { reason: 'INSTITUTION_TOKEN_EXPIRATION', disconnect_time: inAWeek },
    },
    USER_PERMISSION_REVOKED: {
      type: 'ITEM',
      fields: { error: { ...buildStoredError('USER_PERMISSION_REVOKED'), status: 400 } },
    },
    USER_ACCOUNT_REVOKED: { type: 'ITEM', fields: { account_id: listSharedAccounts(item)[0]?.accountId ?? null } },
  }
  const sample = lookUp(samples, code)
  if (sample === undefined) throw new ProviderError('INVALID_FIELD', `webhook_code ${code} cannot be fired`)
  return sample
}
