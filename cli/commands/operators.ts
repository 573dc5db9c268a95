import type { Command } from 'commander'
import { presentLimits } from '../../src/platform/http/callers/key-limits.ts'
import { encodeId, type Id } from '../../src/platform/ids.ts'
import { createOperator, listOperators, revokeOperator } from '../../src/tenants/access/index.ts'
import { type AccountId, ROLES, type Role } from '../../src/tenants/accounts/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { type LimitOptions, readLimits, withLimits } from '../key-limits.ts'
import { parseChoice, parseId, readAccountId, usage } from '../options.ts'
import { changeAs, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, note } from '../terminal.ts'

export function define(operators: Command): void {
  withLimits(defineChange(operators, 'create', 'create a key and print it, once'))
    .argument('<name>', 'name of the person or tool')
    .option('--role <role>', `${ROLES.join(', ')} (default: support)`, parseChoice(...ROLES))
    .option(
      '--account <id>',
      'the person who owns the key (acc_…): the key has their role, acts as them, and stops working with their ' +
        'account',
      readAccountId,
    )
    .addHelpText('after', `\nRoles:\n${ROLES.map((role) => `  ${role.padEnd(9)} ${MAY[role]}`).join('\n')}`)
    .action(create)
  defineCommand(operators, 'list', 'list all keys').action(list)
  defineChange(operators, 'revoke', 'revoke a key immediately and for good')
    .argument(
      '<operator-id>',
      'the operator (opr_…), as listed by `operators list`',
      parseId<'operator'>('opr', 'an operator', 'operators list'),
    )
    .action(revoke)
}

const MAY: Readonly<Record<Role, string>> = {
  admin: 'everything, including the audit log',
  catalog:
    'imports and exports the catalog, changes what publishers carry, decides\n            reviews, applies and undoes re-matches',
  finance: "approves redemptions, creates payout files and reads banks' responses",
  support:
    'answers users and publishers: decides claims, requests adjustments, assigns sales;\n            reads everything except the audit log',
  'read-only': 'reads everything except the content of payout files, changes nothing',
}

async function create(
  name: string,
  { role, account, by, json, ...options }: By & LimitOptions & HolderOptions & { readonly json?: true },
): Promise<void> {
  const limits = readLimits(options)
  const holder = parseHolder({ role, account })
  const {
    operatorId,
    key,
    role: made,
  } = await changeAs(by, (tx, { actor, now }) => createOperator(tx, { name, ...holder, by: actor, limits }, now))
  const id = encodeId('opr', operatorId)
  if (json) return answerJson({ operator_id: id, name, role: made, api_key: key, ...presentLimits(limits) })
  answer(`operator_id  ${id}`)
  answer(`api_key      ${key}`)
  note('The key is shown only this once. Only its hash is stored.')
}

type HolderOptions = { readonly role?: Role | undefined; readonly account?: AccountId | undefined }

function parseHolder({ role, account }: HolderOptions): { readonly role: Role } | { readonly accountId: AccountId } {
  if (account === undefined) return { role: role ?? 'support' }
  if (role !== undefined) throw usage('A personal key has the role of its account. Omit --role.')
  return { accountId: account }
}

async function list({ json }: { readonly json?: true }): Promise<void> {
  const shown = (await withStorage(({ db }) => listOperators(db.reader))).map((one) => ({
    operator_id: encodeId('opr', one.id),
    name: one.name,
    role: one.role,
    account_id: one.accountId === null ? null : encodeId('acc', one.accountId),
    person: one.accountName,
    prefix: one.prefix,
    last_four: one.lastFour,
    created_at: one.createdAt.toISOString(),
    revoked_at: one.revokedAt?.toISOString() ?? null,
    last_used_on: one.lastUsedOn,
    ...presentLimits(one),
  }))
  if (json) return answerJson({ operators: shown })
  if (shown.length === 0) return note('There are no operators yet. Create one with `laurel operators create`.')
  const columns = ['operator_id', 'name', 'person', 'role', 'key', 'created', 'last used', 'expires', 'revoked', 'from']
  const rows = shown.map((one) => [
    ...[one.operator_id, one.name, one.person ?? '', one.role, `${one.prefix}…${one.last_four}`],
    ...[one.created_at.slice(0, 10), one.last_used_on ?? '', one.expires_at?.slice(0, 10) ?? ''],
    ...[one.revoked_at?.slice(0, 10) ?? '', one.addresses?.join(' ') ?? 'any'],
  ])
  answerTable(columns, rows)
}

async function revoke(operatorId: Id<'operator'>, { by, json }: By & { readonly json?: true }): Promise<void> {
  await changeAs(by, (tx, { actor, now }) => revokeOperator(tx, { operatorId, by: actor }, now))
  if (json) return answerJson({ operator_id: encodeId('opr', operatorId), revoked: true })
  answer(`The key of ${encodeId('opr', operatorId)} was revoked.`)
}
