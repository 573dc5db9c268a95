import type { TestApp } from '../support/app.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas, which the compiler cannot know
type Ask = (operationId: string, address: string, body?: object) => Promise<any>

/** Reports two refunds without a reference, and a purchase that either could belong to. */
export async function tellOfRefunds(app: TestApp, ask: Ask): Promise<void> {
  const user = { publisher_user_id: 'user-who-returns' }
  await app.call('POST', '/users', user)
  await app.call('POST', '/terms/accept', { ...user, tnc_id: app.tncId })
  const send = (external_id: string, merchant_descriptor: string, more: object) =>
    app.call('POST', '/transactions', { ...user, source: 'CARD', external_id, merchant_descriptor, ...more })
  const { body } = await send('returned', 'CORNER MARKET', { kind: 'CLEARING', amount: 40 })
  for (const id of ['back-1', 'back-2']) await send(id, 'SOMEWHERE ELSE', { kind: 'REFUND', amount: 5 })
  const { content } = await ask('listUnmatchedRefunds', '/operator/refunds/unmatched')
  const [one, other] = content.map(({ refund_id }: { refund_id: string }) => `/operator/refunds/${refund_id}`)
  await ask('listRefundCandidates', `${one}/candidates`)
  await ask('assignRefund', `${one}/assign`, { transaction_uid: body.transaction_uid, reason: 'a receipt' })
  await ask('dismissRefund', `${other}/dismiss`, { reason: 'no receipt' })
}
