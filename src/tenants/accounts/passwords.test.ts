import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { hashPassword, isPassword } from './passwords.ts'

test('files remain readable while many passwords are being checked', async () => {
  let done = 0
  const checks = Array.from({ length: 24 }, async () => {
    await isPassword('a sentence that is wrong', null)
    done++
  })
  await readFile(new URL(import.meta.url))
  assert.ok(done < 12, `${done} of 24 were done before a file was read`)
  await Promise.all(checks)
})

test('excess concurrent password checks are rejected, and the others succeed', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => isPassword('a sentence', null)))
  const refused = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 28)
  assert.ok(refused.every(({ reason }) => reason.code === 'overloaded'))
  assert.equal(await isPassword('a sentence', await hashPassword('a sentence')), true)
})
