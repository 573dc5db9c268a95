import Type from 'typebox'
import type { OperationDeps, PublisherOperation } from '../../../tenants/access/index.ts'
import { UserParams } from '../schema.ts'
import { getNamedUser } from '../service.ts'
import { chooseMarketing } from './choose.ts'
import { listChoices } from './queries.ts'
import { CHOICE, NewChoiceSchema } from './schema.ts'

const { agreed, wording, language } = CHOICE.example

export function marketingRoutes(operation: PublisherOperation, { db }: OperationDeps): void {
  operation('GET /users/:publisher_user_id/marketing-choices', {
    config: { scope: 'users:read' },
    id: 'listMarketingChoices',
    summary: "List a user's marketing email choices, latest first",
    description:
      'The latest choice applies. A user without one has not agreed. Returns at most 100; the archive contains all of them.',
    params: UserParams,
    answer: Type.Object({ content: Type.Array(CHOICE.schema) }),
    example: { content: [CHOICE.example] },
    refusals: ['user_not_found'],
    handler: async ({ params, publisher }) => {
      const { userId } = await getNamedUser(db.reader, publisher, params.publisher_user_id)
      return { content: (await listChoices(db.reader, publisher.id, userId)).map(CHOICE.present) }
    },
  })

  operation('POST /users/:publisher_user_id/marketing-choices', {
    config: { scope: 'users:write' },
    id: 'chooseMarketing',
    summary: "Record a user's choice about marketing email",
    description:
      'Records consent or its withdrawal. Repeating the latest choice with the same wording changes nothing.',
    params: UserParams,
    body: NewChoiceSchema,
    bodyExample: { agreed, wording, language },
    answer: CHOICE.schema,
    example: CHOICE.example,
    refusals: ['user_not_found'],
    handler: async ({ params, body, publisher, now, once }) =>
      once(async (tx) => {
        const user = await getNamedUser(tx, publisher, params.publisher_user_id)
        return CHOICE.present(await chooseMarketing(tx, publisher, user, { ...body, via: 'api' }, now))
      }),
  })
}
