import Type from 'typebox'
import { nullable } from '../../../platform/http/index.ts'
import { encodeId } from '../../../platform/ids.ts'
import { field, integer, texts } from '../../../platform/resource/fields.ts'
import { type ResourceRow, resource } from '../../../platform/resource/resource.ts'
import type { LineNote } from '../files/payout-answers.ts'
import type { Redemption } from '../redemption.ts'

/**
 * A change that the bank requested. The corrected account is not stored, because only the user may enter it. Otherwise,
 * someone else could redirect the user's payouts.
 */
export type AskedChange = { readonly redemption: Redemption; readonly code: string; readonly meaning: string | null }

/** The result of applying a bank's response. */
export const ANSWER_SUMMARY = resource('PayoutFileSummary', {
  paid: integer({ example: 216 }),
  failed: integer({ example: 2 }),
  returned: integer({ example: 0 }),
  unchanged: integer({ example: 0, description: 'Number of outcomes that were already recorded.' }),
  contradicted: field(
    Type.Array(Type.Object({ redemption_id: Type.String(), status: Type.String({ description: 'Current status.' }) }), {
      description: "Redemptions whose status contradicts the bank's response. A person must look into them.",
    }),
    { example: [] },
    (redemptions: readonly Redemption[]) =>
      redemptions.map(({ redemptionId, status }) => ({ redemption_id: encodeId('rdm', redemptionId), status })),
  ),
  unknown: texts({
    example: [],
    description: 'References that are not in this file, or that have a different amount.',
  }),
  skipped: field(
    Type.Array(
      Type.Object({
        line: Type.Integer({ description: "Line number in the bank's response, starting at 1." }),
        message: Type.String({ description: 'Human-readable explanation.' }),
      }),
      { description: "Lines that are not about payouts, such as returns for another of the bank's products." },
    ),
    { example: [] },
    (lines: readonly LineNote[]) => lines,
  ),
  changes: field(
    Type.Array(
      Type.Object({
        redemption_id: Type.String(),
        svc_user_id: Type.String({ description: 'The user whose destination was paid.' }),
        code: Type.String({ description: "The bank's code, such as C01." }),
        meaning: nullable(Type.String({ description: 'Human-readable meaning of the code.' })),
      }),
      {
        description:
          'Payouts that arrived, but whose destination the bank wants changed. No destination is changed: ask the user to enter the account again.',
      },
    ),
    { example: [] },
    (changes: readonly AskedChange[]) =>
      changes.map(({ redemption, ...asked }) => ({
        redemption_id: encodeId('rdm', redemption.redemptionId),
        svc_user_id: encodeId('usr', redemption.userId),
        ...asked,
      })),
  ),
})

export type AnswerSummary = ResourceRow<typeof ANSWER_SUMMARY>
