import { instantField } from '../../platform/http/index.ts'
import type { UserId } from '../../platform/ids.ts'
import { id, instant, text } from '../../platform/resource/fields.ts'
import { column, type ResourceRow, resource } from '../../platform/resource/resource.ts'

/**
 * An outside report that contradicts our records, such as a payment reported as made after it had failed. The books
 * stay unchanged until a person works out which side is right and acknowledges the contradiction.
 */
export const CONTRADICTION = resource(
  'Contradiction',
  {
    contradiction_id: id('ctr', {
      example: 'ctr_01kbjyt5v3f4nvj5yq5yfypr9v',
      description: 'ID of the contradiction.',
    }),
    publisher_id: id('pub', { example: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'The publisher.' }),
    subject: text({
      example: 'rdm_01kbjyt5v3f4nvj5yq5yfypr9v',
      description: 'Subject of the report: a redemption (rdm_…) or a gift card order (gco_…).',
    }),
    known: text({ example: 'failed', description: 'Current status.' }),
    reported: text({ example: 'paid', description: 'Reported status, which cannot follow the current one.' }),
    reported_by: text({
      example: 'bank',
      description: '`bank`, `supplier` or `publisher`, or the operator who submitted a response from the bank.',
    }),
    code: text({ nullable: true, example: null, description: "The reporter's own code." }),
    text: text({ nullable: true, example: null, description: "The reporter's own words." }),
    reference: text({
      nullable: true,
      example: 'pay-4711',
      description: "The reporter's reference for the payment or order.",
    }),
    recorded_at: {
      ...instant({ example: '2026-11-21T10:15:30.000Z' }),
      schema: instantField('When it was first reported.'),
    },
  },
  { userId: column<UserId>() },
)

export type Contradiction = ResourceRow<typeof CONTRADICTION>
