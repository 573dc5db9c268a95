import Type from 'typebox'
import { cardIdIn } from '../gift-cards/index.ts'
import { idField, strictObject, textField } from '../platform/http/index.ts'
import { encodeId } from '../platform/ids.ts'
import type { OperatorDeps } from './deps.ts'
import { allowRevealAs } from './gift-cards.ts'
import type { OperatorOperation } from './operations.ts'

/** The one thing that an operator decides about gift cards; the codes themselves are shown to nobody here. */
export function operatorGiftCardRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('POST /operator/gift-cards/:card_id/allow-reveal', {
    config: { roles: ['finance'] },
    id: 'allowGiftCardReveal',
    summary: 'Let the code of a gift card be shown once more',
    description: 'For a publisher that has lost the answer with the code. The code is not shown here.',
    params: Type.Object({ card_id: idField('The card.') }),
    body: strictObject({ reason: textField(500, 'Why, for the audit log.') }),
    bodyExample: { reason: 'The answer was lost in an outage of the app.' },
    answer: Type.Object({
      card_id: Type.String({ description: 'Identifier of the card.' }),
      first_revealed_at: Type.Union([Type.String({ description: 'When it was first shown.' }), Type.Null()]),
    }),
    example: { card_id: 'gcd_01kbjyt5v4e0q9s2k6t8y0a3bd', first_revealed_at: '2026-11-21T10:15:30.000Z' },
    refusals: [404, 409],
    handler: ({ params, body, actor, once }) => {
      const cardId = cardIdIn(params.card_id)
      return once(async (tx) => {
        const first = await allowRevealAs(tx, { cardId, reason: body.reason, by: actor }, deps.clock.now())
        return { card_id: encodeId('gcd', cardId), first_revealed_at: first?.toISOString() ?? null }
      })
    },
  })
}
