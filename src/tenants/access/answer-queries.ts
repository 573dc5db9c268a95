import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Retained } from '../../platform/db/retention.ts'
import type { PublisherId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { Operator } from './operator.ts'

/** A request with an Idempotency-Key. The same key on another route is a different request. */
export type KeyedRequest = { readonly key: string; readonly route: string; readonly inputHash: Buffer }

/** The stored responses of one caller. */
export type AnswerStore = {
  /** Returns false if the key was already used. Waits for any transaction that is currently using it. */
  claim(tx: Tx, asked: KeyedRequest): Promise<boolean>
  find(reader: Reader, asked: KeyedRequest): Promise<StoredAnswer | null>
  store(tx: Tx, asked: KeyedRequest, answer: unknown): Promise<void>
}
export type StoredAnswer = { readonly inputHash: Buffer; readonly answer: unknown }

/** Returns the stored responses to a publisher's requests. They are encrypted because some contain secrets. */
export function createPublisherAnswers(publisherId: PublisherId, vault: Vault): AnswerStore {
  const toContext = (key: string): string => `idempotency_keys:${publisherId}:${key}`
  return {
    claim: async (tx, { key, route, inputHash }) => {
      const { count } = await tx`
        insert into idempotency_keys (publisher_id, idempotency_key, route, input_hash)
        values (${publisherId}, ${key}, ${route}, ${inputHash})
        on conflict do nothing`
      return count === 1
    },
    find: async (reader, { key, route }) => {
      const [row] = await reader<{ inputHash: Buffer; sealedAnswer: Buffer }[]>`
        select input_hash, sealed_answer from idempotency_keys
        where publisher_id = ${publisherId} and idempotency_key = ${key} and route = ${route}`
      return row ? { ...row, answer: JSON.parse(vault.open(row.sealedAnswer, toContext(key))) } : null
    },
    store: async (tx, { key, route }, answer) => {
      await tx`
        update idempotency_keys set sealed_answer = ${vault.seal(JSON.stringify(answer), toContext(key))}
        where publisher_id = ${publisherId} and idempotency_key = ${key} and route = ${route}`
    },
  }
}

/** Returns the stored responses to an operator's requests. They contain no secrets, so they are not sealed. */
export function createOperatorAnswers(operatorId: Operator['id']): AnswerStore {
  return {
    claim: async (tx, { key, route, inputHash }) => {
      const { count } = await tx`
        insert into operator_answers (operator_id, idempotency_key, route, input_hash)
        values (${operatorId}, ${key}, ${route}, ${inputHash})
        on conflict do nothing`
      return count === 1
    },
    find: async (reader, { key, route }) => {
      const [row] = await reader<{ inputHash: Buffer; answer: unknown }[]>`
        select input_hash, answer from operator_answers
        where operator_id = ${operatorId} and idempotency_key = ${key} and route = ${route}`
      return row ?? null
    },
    store: async (tx, { key, route }, answer) => {
      await tx`
        update operator_answers set answer = ${tx.json(answer as never)}
        where operator_id = ${operatorId} and idempotency_key = ${key} and route = ${route}`
    },
  }
}

/** Retains responses for 24 hours. After that, only natural keys prevent duplicates. */
export const retainedAnswers: Retained = {
  table: 'idempotency_keys',
  days: async () => 1,
  oldest: async (reader) => {
    const [row] = await reader<{ createdAt: Date }[]>`
      -- all publishers: totals for metrics
      select created_at from idempotency_keys order by created_at limit 1`
    return row?.createdAt ?? null
  },
  drop: async (tx, before, limit) => {
    // all publishers: drops by age
    const { count } = await tx`
      delete from idempotency_keys
      where (publisher_id, idempotency_key, route) in (
        select publisher_id, idempotency_key, route from idempotency_keys
        where created_at < ${before}
        order by created_at
        limit ${limit}
        for update skip locked
      )`
    return count
  },
}

/** Retains responses for 24 hours, like those to publishers. */
export const retainedOperatorAnswers: Retained = {
  table: 'operator_answers',
  days: async () => 1,
  oldest: async (reader) => {
    const [row] = await reader<{ createdAt: Date | null }[]>`
      select min(created_at) as created_at from operator_answers`
    return row?.createdAt ?? null
  },
  // There are few operators, so no batching is needed.
  drop: async (tx, before) => {
    const { count } = await tx`delete from operator_answers where created_at < ${before}`
    return count
  },
}
