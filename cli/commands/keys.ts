import type { Command } from 'commander'
import { presentLimits } from '../../src/platform/http/callers/key-limits.ts'
import { encodeId, type Id, type PublisherId } from '../../src/platform/ids.ts'
import { createKeyAs, listApiKeys, revokeKeyAs } from '../../src/tenants/access/index.ts'
import { getPublisher, SCOPES, type Scope } from '../../src/tenants/publishers/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { type LimitOptions, readLimits, withLimits } from '../key-limits.ts'
import { parseId, readPublisherId, usage } from '../options.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

export function define(keys: Command): void {
  withLimits(defineChange(keys, 'create', 'create a key and print it, once'))
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .option('--scope <scope...>', 'what the key may do, such as users:read; default: all scopes')
    .action(create)
  defineCommand(keys, 'list', "list a publisher's keys")
    .requiredOption('--publisher <id>', 'the publisher (pub_…)', readPublisherId)
    .action(list)
  defineChange(keys, 'revoke', 'revoke a key immediately and for good')
    .argument('<key-id>', 'the key (key_…), as listed by `keys list`', parseId('key', 'a key', 'keys list'))
    .action(revoke)
}

type Create = { readonly publisher: PublisherId; readonly scope?: readonly string[]; readonly json?: true }

async function create({ publisher, scope, by, json, ...options }: Create & By & LimitOptions): Promise<void> {
  const scopes = scope?.flatMap((names) => names.split(',')).map(readScope) ?? null
  const limits = readLimits(options)
  const key = await changeAs(by, (tx, { actor, now }) =>
    createKeyAs(tx, { publisherId: publisher, scopes, limits }, actor, now),
  )
  const shown = {
    publisher_id: encodeId('pub', publisher),
    key_id: encodeId('key', key.keyId),
    api_key: key.apiKey,
    scopes: key.scopes,
    ...presentLimits(limits),
  }
  if (json) return answerJson(shown)
  answer(`key_id   ${shown.key_id}`)
  answer(`api_key  ${shown.api_key}`)
  note('The key is shown only this once. Only its hash is stored.')
}

async function list({ publisher, json }: { readonly publisher: PublisherId; readonly json?: true }): Promise<void> {
  const keys = await withStorage(async ({ db }) => {
    await getPublisher(db.reader, publisher)
    return listApiKeys(db.reader, publisher)
  })
  const shown = keys.map((key) => ({
    key_id: encodeId('key', key.keyId),
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_on: key.lastUsedOn,
    ...presentLimits(key),
  }))
  if (json) return answerJson({ keys: shown })
  if (shown.length === 0) return note('This publisher has no keys. Create one with `laurel keys create`.')
  const rows = shown.map((key) => [
    ...[key.key_id, `${key.prefix}…${key.last_four}`, key.created_at.slice(0, 10), key.last_used_on ?? ''],
    ...[key.expires_at?.slice(0, 10) ?? '', key.revoked_at?.slice(0, 10) ?? '', key.addresses?.join(' ') ?? 'any'],
    key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(' '),
  ])
  const columns = ['key_id', 'key', 'created', 'last used', 'expires', 'revoked', 'from', 'scopes']
  answerTable(columns, rows)
}

async function revoke(keyId: Id<string>, { by, json }: By & { readonly json?: true }): Promise<void> {
  const keyUid = encodeId('key', keyId)
  await changeAs(by, (tx, { actor, now }) => revokeKeyAs(tx, { keyUid }, actor, now))
  if (json) return answerJson({ key_id: keyUid, revoked: true })
  answer(`${keyUid} was revoked.`)
}

function readScope(text: string): Scope {
  const scope = SCOPES.find((candidate) => candidate === text.trim())
  if (scope === undefined) throw usage(`There is no scope "${text}". The scopes are ${SCOPES.join(', ')}.`)
  return scope
}
