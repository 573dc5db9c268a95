import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveStatusAt, type UserHistory } from './rules.ts'

const at = (text: string): Date => new Date(`2026-01-${text}Z`)
const document = (documentId: number, from: string) => ({
  documentId,
  publisherId: null,
  url: '',
  revision: `${documentId}`,
  requiredFrom: at(from),
  changes: {},
})
const documents = [document(1, '01T00:00:00'), document(2, '20T00:00:00')]
const history = (acceptances: [number, string][] = [], deactivations: [string, string | null][] = []): UserHistory => ({
  acceptances: acceptances.map(([documentId, when]) => ({ documentId, acceptedAt: at(when) })),
  deactivations: deactivations.map(([from, until]) => ({ from: at(from), until: until === null ? null : at(until) })),
})

test('acceptances and deactivations determine the status at any instant', () => {
  const accepted = history([[1, '05T10:00:00']])
  const deactivated = history([[1, '05T10:00:00']], [['08T10:00:00', null]])
  const returned = history([[1, '05T10:00:00']], [['08T10:00:00', '09T10:00:00']])
  const again = history(
    [
      [1, '05T10:00:00'],
      [1, '10T10:00:00'],
    ],
    [['08T10:00:00', '09T10:00:00']],
  )
  const both = history([
    [1, '05T10:00:00'],
    [2, '18T10:00:00'],
  ])
  const rows: [what: string, history: UserHistory, when: string, status: string][] = [
    ['nothing accepted', history(), '10T00:00:00', 'PENDING'],
    ['before accepting', accepted, '05T09:59:59', 'PENDING'],
    ['in the second of accepting', accepted, '05T10:00:00', 'ACTIVE'],
    ['afterwards', accepted, '19T23:59:59', 'ACTIVE'],
    ['when newer terms are required', accepted, '20T00:00:00', 'PENDING'],
    ['newer terms accepted beforehand', both, '20T00:00:00', 'ACTIVE'],
    ['deactivated', deactivated, '08T10:00:00', 'INACTIVE'],
    ['before it was deactivated', deactivated, '08T09:59:59', 'ACTIVE'],
    ['reactivated, not accepted again', returned, '09T10:00:00', 'PENDING'],
    ['reactivated, while it was inactive', returned, '09T09:59:59', 'INACTIVE'],
    ['reactivated and accepted again', again, '10T10:00:00', 'ACTIVE'],
  ]
  for (const [what, facts, when, status] of rows) assert.equal(deriveStatusAt(facts, documents, at(when)), status, what)
})

test('a user remains PENDING while there is no terms document', () => {
  assert.equal(deriveStatusAt(history(), [], at('10T00:00:00')), 'PENDING')
})

test('acceptances and deactivations take effect at the start of their second', () => {
  const facts = history([[1, '05T10:00:00.900']])
  assert.equal(deriveStatusAt(facts, documents, at('05T10:00:00.100')), 'ACTIVE')
  assert.equal(deriveStatusAt(facts, documents, at('05T09:59:59.999')), 'PENDING')
})
