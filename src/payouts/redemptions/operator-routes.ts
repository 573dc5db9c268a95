import Type from 'typebox'
import {
  listOperation,
  type OperatorDeps,
  type OperatorOperation,
  parsePublisherId,
} from '../../tenants/access/index.ts'
import { getPublisher, resolveCurrency } from '../../tenants/publishers/index.ts'
import {
  answerPayoutFileAs,
  createPayoutFileAs,
  decideRedemptionAs,
  openPayoutFileAs,
  readAnswerTo,
} from './operate.ts'
import * as schema from './operator-schema.ts'
import { ANSWER_SUMMARY } from './payouts/answer-summary.ts'
import { PAYOUT_FILE_LIST } from './payouts/payout-file-queries.ts'
import { PAYOUT_FILE } from './payouts/stored-file.ts'
import { OPEN_REDEMPTIONS } from './queries.ts'

/** Registers the routes for redemptions that await a decision, and for payout files. */
export function operatorRedemptionRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  decisionRoutes(operation, deps)
  fileRoutes(operation, deps)
  answerRoutes(operation, deps)
}

function decisionRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/redemptions',
    permission: 'redemptions:read',
    id: 'listOpenRedemptions',
    summary: 'List open redemptions, oldest first',
    description: 'Only redemptions waiting for approval, unless another status is given.',
    list: OPEN_REDEMPTIONS,
    resource: schema.OPERATOR_REDEMPTION,
    example: schema.waiting,
    refusals: ['publisher_not_found'],
  })

  operation('POST /operator/redemptions/:redemption_id/approve', {
    config: { permission: 'redemptions:decide' },
    id: 'approveRedemption',
    summary: 'Approve a redemption',
    description:
      "The redemption proceeds once it has its last required approval. Each approval is attributed to the key's operator; nobody can approve twice.",
    params: schema.RedemptionParams,
    answer: schema.OPERATOR_REDEMPTION.schema,
    example: { ...schema.OPERATOR_REDEMPTION.example, ...schema.waiting, status: 'approved', version: 2 },
    refusals: ['redemption_not_found', 'publisher_not_found', 'redemption_approved_by_you', 'redemption_status'],
    handler: async ({ params: { redemption_id: redemptionUid }, actor: by, once }) =>
      once(async (tx) =>
        schema.OPERATOR_REDEMPTION.present(
          await decideRedemptionAs(tx, deps.clock, { redemptionUid, verdict: 'approve', by }),
        ),
      ),
  })

  operation('POST /operator/redemptions/:redemption_id/decline', {
    config: { permission: 'redemptions:decide' },
    id: 'declineRedemption',
    summary: 'Decline a redemption that has not been sent',
    description: 'It is canceled with the reason declined, and its money becomes available again.',
    params: schema.RedemptionParams,
    body: schema.DeclineBody,
    bodyExample: { reason: 'The account is under investigation' },
    answer: schema.OPERATOR_REDEMPTION.schema,
    example: {
      ...schema.OPERATOR_REDEMPTION.example,
      ...schema.waiting,
      status: 'cancelled',
      reason: 'declined',
      version: 2,
    },
    refusals: ['redemption_not_found', 'publisher_not_found', 'redemption_approved_by_you', 'redemption_status'],
    handler: async ({ params: { redemption_id: redemptionUid }, body: { reason }, actor: by, once }) =>
      once(async (tx) =>
        schema.OPERATOR_REDEMPTION.present(
          await decideRedemptionAs(tx, deps.clock, { redemptionUid, verdict: 'decline', reason, by }),
        ),
      ),
  })
}

function fileRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/payout-files',
    permission: 'payout-files:read',
    id: 'listPayoutFiles',
    summary: 'List payout files, newest first',
    description: 'File content is not included.',
    list: PAYOUT_FILE_LIST,
    resource: PAYOUT_FILE,
    refusals: ['publisher_not_found'],
  })

  operation('POST /operator/payout-files', {
    config: { permission: 'payout-files:make' },
    id: 'createPayoutFile',
    summary: 'Create a payout file of approved redemptions for the bank',
    description:
      'Contains redemptions with the payout method file, oldest first, up to 5,000. They become `sent`. `laurel payouts payer` sets the payer.',
    body: schema.NewFileBody,
    bodyExample: { publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', format: 'nacha' },
    answer: schema.MadeFileSchema,
    example: { ...PAYOUT_FILE.example, pay_on_closed: null, left: [] },
    refusals: [
      'currency_unknown',
      'payout_file_invalid',
      'publisher_not_found',
      'payer_missing',
      'payout_file_empty',
      'payout_file_gone',
    ],
    handler: async ({ body: { publisher_id, format, pay_on: payOn = null, ...named }, actor: by, once }) =>
      once(async (tx) => {
        const publisher = await getPublisher(tx, parsePublisherId(publisher_id))
        const currency = resolveCurrency(publisher, named.currency)
        const made = await createPayoutFileAs(tx, deps, publisher, { format, currency, payOn, by })
        return { ...schema.presentMade(made), created_by_name: by.name }
      }),
  })

  operation('GET /operator/payout-files/:file_id/content', {
    config: { permission: 'payout-files:make' },
    id: 'getPayoutFileContent',
    summary: 'Get the content of a payout file',
    description:
      'Contains account numbers, so each call is recorded in the audit log. 409 once any of its account numbers is destroyed, which happens when the payout is over and the user has provided another account.',
    params: schema.FileParams,
    content: { 'text/plain': { schema: Type.String(), example: '101 021000021 1234567890…' } },
    refusals: ['payout_file_not_found', 'publisher_not_found', 'payout_file_gone'],
    handler: async ({ params: { file_id: fileUid }, actor: by, reply }) => {
      const content = await deps.db.transaction((tx) => openPayoutFileAs(tx, deps, { fileUid, by }))
      reply.header('Content-Type', 'text/plain; charset=utf-8').header('Cache-Control', 'no-store')
      return content as never
    },
  })
}

function answerRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('POST /operator/payout-files/:file_id/answers', {
    config: { permission: 'payout-files:settle' },
    id: 'answerPayoutFile',
    summary: "Process the bank's response to a payout file",
    description:
      'NACHA return files, pain.002 or CSV, depending on the format of the file; up to 1 MB, or larger with `laurel payouts answer`. `skipped` lists lines that concern no payout. Nothing is applied if a line that may concern a payout is unreadable. Processing the same response again changes nothing.',
    params: schema.FileParams,
    body: schema.AnswerBody,
    bodyExample: { content: 'reference,status,code\n01KBJYT5V3F4NVJ5YQ5YFYPR9V,failed,R03\n' },
    answer: ANSWER_SUMMARY.schema,
    example: ANSWER_SUMMARY.example,
    refusals: ['payout_answer_unreadable', 'payout_file_not_found', 'publisher_not_found'],
    handler: async ({ params: { file_id: fileUid }, body: { content: text }, actor: by, once }) => {
      const answers = await readAnswerTo(deps.db.reader, fileUid, text)
      return once(async (tx) =>
        ANSWER_SUMMARY.present(await answerPayoutFileAs(tx, deps.clock, { fileUid, answers, by })),
      )
    },
  })

  operation('POST /operator/payout-files/:file_id/settle', {
    config: { permission: 'payout-files:settle' },
    id: 'settlePayoutFile',
    summary: 'Mark all remaining payouts in a file as paid',
    description:
      'For banks that report only failures, once the time to report them has passed. A payout can still be returned later.',
    params: schema.FileParams,
    answer: ANSWER_SUMMARY.schema,
    example: ANSWER_SUMMARY.example,
    refusals: ['payout_answer_unreadable', 'payout_file_not_found', 'publisher_not_found'],
    handler: async ({ params: { file_id: fileUid }, actor: by, once }) =>
      once(async (tx) =>
        ANSWER_SUMMARY.present(await answerPayoutFileAs(tx, deps.clock, { fileUid, answers: null, by })),
      ),
  })
}
