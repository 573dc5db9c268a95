import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { readName } from './actor.ts'
import { runIn } from './shell.ts'
import { answer, answerTable, note, styled } from './terminal.ts'

const EVIL = 'Acme\u001b[2A\u001b[31m\r\u009b2Jall is well\u0007'

function printed(work: () => void): string {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  runIn({ env: {}, stdin: new PassThrough(), stdout, stderr }, work)
  return `${stdout.read() ?? ''}${stderr.read() ?? ''}`
}

test("untrusted text can neither move the terminal's cursor nor forge a table row", () => {
  for (const print of [() => answer(EVIL), () => note(EVIL), () => answerTable(['name'], [[EVIL]])])
    assert(printed(print).endsWith('Acme�[2A\u001b[31m��2Jall is well�\n'))
  assert.equal(printed(() => answerTable(['name'], [['Acme\nGlobex\tInc']])).split('\n')[1], 'Acme�Globex�Inc')
})

test('lines and styles from Laurel itself are printed unchanged', () => {
  assert.equal(
    printed(() => answer('one\n\ttwo')),
    'one\n\ttwo\n',
  )
  const bold = '\u001b[1mtitle\u001b[22m'
  assert.equal(
    printed(() => answerTable(['a'], [[bold], ['b']])).replaceAll(styled('dim', 'a'), 'a'),
    `a\n${bold}\nb\n`,
  )
})

test('a name for the audit log must consist of printable characters', () => {
  assert.equal(readName(' Ada Lovelace '), 'Ada Lovelace')
  for (const name of ['', EVIL, 'a\nb', 'x'.repeat(256)]) assert.throws(() => readName(name), /1 to 255 printable/)
})
