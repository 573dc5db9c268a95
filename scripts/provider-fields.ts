import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'

/**
 * Writes simulator/provider/fields.json: the names and types of the fields the linking provider returns and sends, as
 * stated in its OpenAPI description, for the calls the simulator implements. Nothing else is taken from the
 * description.
 *
 * node scripts/provider-fields.ts 2020-09-14.yml
 *
 * A field's key is its path, with `[]` for list elements. Its value lists the possible types, followed by `?` if the
 * field can be absent. Anything below an unlisted path is unconstrained.
 */

type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly nullable?: boolean
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}
type Operation = {
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  }
}
type Description = {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const CALLS = [
  '/accounts/get',
  '/institutions/get_by_id',
  '/item/access_token/invalidate',
  '/item/get',
  '/item/public_token/exchange',
  '/item/remove',
  '/item/webhook/update',
  '/link/token/create',
  '/link/token/get',
  '/sandbox/item/fire_webhook',
  '/sandbox/item/reset_login',
  '/sandbox/public_token/create',
  '/sandbox/transactions/create',
  '/transactions/refresh',
  '/transactions/sync',
  '/webhook_verification_key/get',
]
const SCHEMAS: Readonly<Record<string, string>> = {
  error: 'PlaidError',
  SYNC_UPDATES_AVAILABLE: 'SyncUpdatesAvailableWebhook',
  WEBHOOK_UPDATE_ACKNOWLEDGED: 'WebhookUpdateAcknowledgedWebhook',
  PENDING_EXPIRATION: 'PendingExpirationWebhook',
  PENDING_DISCONNECT: 'PendingDisconnectWebhook',
  ERROR: 'ItemErrorWebhook',
  LOGIN_REPAIRED: 'ItemLoginRepairedWebhook',
  USER_PERMISSION_REVOKED: 'UserPermissionRevokedWebhook',
  USER_ACCOUNT_REVOKED: 'UserAccountRevokedWebhook',
  NEW_ACCOUNTS_AVAILABLE: 'NewAccountsAvailableWebhook',
}

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error("name the provider's OpenAPI file")
const description = parse(readFileSync(file, 'utf8')) as Description
const answers = CALLS.map((path) => {
  const schema = description.paths[path]?.post?.responses[200].content['application/json'].schema
  if (schema === undefined) throw new Error(`${path} is not described`)
  return [path, collectFields(schema)] as const
})
const others = Object.entries(SCHEMAS).map(([name, schema]) => [name, collectFields({ $ref: `/${schema}` })] as const)
const content = { version: description.info.version, fields: Object.fromEntries([...answers, ...others]) }
writeFileSync(new URL('../simulator/provider/fields.json', import.meta.url), `${JSON.stringify(content, null, 2)}\n`)

type Fields = Record<string, string>

function collectFields(schema: Schema): Fields {
  const fields: Fields = {}
  collect(schema, '', new Set(), fields)
  return fields
}

/** Adds the fields below a path. A recursive schema is left unconstrained from its second occurrence on. */
function collect(schema: Schema, path: string, above: ReadonlySet<string>, fields: Fields): void {
  if (schema.$ref !== undefined) {
    if (!above.has(schema.$ref)) collect(named(schema.$ref), path, new Set([...above, schema.$ref]), fields)
    return
  }
  for (const part of collectParts(schema)) collect(part, path, above, fields)
  if (schema.items !== undefined) {
    fields[`${path}[]`] = collectTypes(schema.items).join('|')
    collect(schema.items, `${path}[]`, above, fields)
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`
    fields[at] = collectTypes(property).join('|') + (schema.required?.includes(name) === true ? '' : '?')
    collect(property, at, above, fields)
  }
}

function collectTypes(schema: Schema): string[] {
  const from = schema.$ref === undefined ? [] : collectTypes(named(schema.$ref))
  const types = [
    ...from,
    ...collectParts(schema).flatMap(collectTypes),
    ...(schema.type === undefined ? [] : [schema.type]),
  ]
  return [...new Set([...types, ...(schema.nullable === true ? ['null'] : [])])].toSorted()
}

function collectParts({ allOf = [], oneOf = [], anyOf = [] }: Schema): Schema[] {
  return [...allOf, ...oneOf, ...anyOf]
}

function named(reference: string): Schema {
  const schema = description.components.schemas[reference.split('/').at(-1) ?? '']
  if (schema === undefined) throw new Error(`${reference} is not described`)
  return schema
}
