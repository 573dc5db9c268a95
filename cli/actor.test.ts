import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getAccountName } from './actor.ts'

test('a command is attributed to the OS account that runs it, even if that account has no name', () => {
  assert.notEqual(getAccountName(), '')
  const nameless = () => {
    throw new Error('ENOENT: no such file or directory, uv_os_get_passwd')
  }
  assert.match(getAccountName(nameless), /^uid-\d+$/)
})
