import { encodeId } from '../../src/platform/ids.ts'
import type { TestApp } from '../support/app.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas, which the compiler cannot know
type Ask = (operationId: string, address: string, body?: object) => Promise<any>

/**
 * Makes the calls about two shops that resemble the market, a person's answers, and the changes that the answers cause.
 */
export async function tellOfReviews(app: TestApp, ask: Ask, user: string): Promise<void> {
  for (const [index, merchant_descriptor] of ['CRNR MKT ROASTING', 'CRNR MKT DENTAL'].entries()) {
    const doubtful = { publisher_user_id: user, external_id: `doubtful-${index}`, merchant_descriptor, amount: 50 }
    await ask('reportTransactions', '/transactions', doubtful)
  }
  const { content } = await ask('listReviews', '/reviews')
  const [one, other] = content.map(({ review_uid }: { review_uid: string }) => review_uid)
  await ask('listAllReviews', '/operator/reviews')
  await ask('decideReview', `/reviews/${one}/decide`, { brand_uid: 'brand-market', scope: 'PUBLISHER' })
  await ask('getAnyReview', `/operator/reviews/${other}`)
  await ask('decideReviewForAll', `/operator/reviews/${other}/decide`, { brand_uid: 'brand-market', scope: 'ALL' })
  const publisher_id = encodeId('pub', app.publisher.id)
  const asked = { publisher_id, since: '2026-01-01' }
  await ask('previewRematch', '/operator/rematches/preview', asked)
  const { rematch_uid } = await ask('applyRematch', '/operator/rematches', { ...asked, reason: 'shown' })
  await ask('listRematchChanges', `/operator/rematches/${rematch_uid}/changes`)
  await ask('undoRematch', `/operator/rematches/${rematch_uid}/undo`)
  await ask('listRematches', `/operator/rematches?publisher_id=${publisher_id}`)
  await ask('undoReview', `/operator/reviews/${other}/undo`, {})
}
