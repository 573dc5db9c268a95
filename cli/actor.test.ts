import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountHere } from './actor.ts'

test('whoever runs a command is named by his account, also where the account has no name', () => {
  assert.notEqual(accountHere(), '')
  const nameless = () => {
    throw new Error('ENOENT: no such file or directory, uv_os_get_passwd')
  }
  assert.match(accountHere(nameless), /^uid-\d+$/)
})
