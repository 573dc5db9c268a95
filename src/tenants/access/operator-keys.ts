import { randomBytes } from 'node:crypto'
import { announce, type Tx } from '../../platform/db/database.ts'
import { hashKey } from '../../platform/http/callers/key-cache.ts'
import { type KeyLimits, NO_LIMITS, presentLimits } from '../../platform/http/callers/key-limits.ts'
import { encodeId, newUuid } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { isReadableLine } from '../../platform/text/readable.ts'
import { type AccountId, type Actor, audit, getPerson, type Role } from '../accounts/index.ts'
import type { OperatorId } from './operator.ts'
import type { OperatorRefusal } from './operator-errors.ts'
import * as queries from './operator-queries.ts'

/** Processes clear their cache of operator keys on this notification. */
export const OPERATORS_CHANGED = 'laurel_operators_changed'
const PREFIX = 'lrl_operator_'
const NAME_MAX = 255

type NewOperator = { readonly name: string; readonly by: Actor; readonly limits?: KeyLimits }
/**
 * A tool with its own role, or a person. A person's key has the role of their account and stops working when the
 * account is disabled.
 */
type OperatorHolder = { readonly role: Role } | { readonly accountId: AccountId }

/**
 * Creates a key. This is the only time it is returned, because only its hash is stored.
 * @throws Refusal operator_name_invalid, account_not_found
 */
export async function createOperator(
  tx: Tx,
  { name, by, limits = NO_LIMITS, ...holder }: NewOperator & OperatorHolder,
  now: Date,
): Promise<{ readonly operatorId: OperatorId; readonly key: string; readonly role: Role }> {
  if (name === '' || name.length > NAME_MAX || !isReadableLine(name)) {
    throw new Refusal<OperatorRefusal>('operator_name_invalid', 'A name must be 1 to 255 printable characters.', {
      field: 'name',
    })
  }
  const { role, accountId } =
    'role' in holder ? { ...holder, accountId: null } : await getPerson(tx, holder.accountId, null)
  const operatorId = newUuid<'operator'>()
  const key = PREFIX + randomBytes(32).toString('base64url')
  const ends = { prefix: PREFIX, lastFour: key.slice(-4) }
  const whose = { id: operatorId, name, role, accountId }
  const operator = { ...whose, ...ends, createdAt: now, revokedAt: null, lastUsedOn: null, ...limits }
  await queries.insertOperator(tx, operator, hashKey(key))
  const subject = encodeId('opr', operatorId)
  const person = accountId === null ? {} : { account_id: encodeId('acc', accountId) }
  const after = { name, role, ...person, ...presentLimits(limits) }
  await audit(tx, { actor: by, action: 'operator.created', subject, after }, now)
  await announce(tx, OPERATORS_CHANGED)
  return { operatorId, key, role }
}

/** @throws Refusal operator_not_found if no operator with an active key has this ID */
export async function revokeOperator(
  tx: Tx,
  { operatorId, by }: { readonly operatorId: OperatorId; readonly by: Actor },
  now: Date,
): Promise<void> {
  const revoked = await queries.markOperatorRevoked(tx, operatorId, now)
  if (revoked === null)
    throw new Refusal<OperatorRefusal>('operator_not_found', 'No operator with an active key has this id.')
  const { name, role } = revoked
  const subject = encodeId('opr', operatorId)
  await audit(tx, { actor: by, action: 'operator.revoked', subject, before: { name, role } }, now)
  await announce(tx, OPERATORS_CHANGED)
}
