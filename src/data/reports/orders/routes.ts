import Type from 'typebox'
import { toDay } from '../../../platform/calendar.ts'
import { toNetwork } from '../../../platform/http/callers/caller-address.ts'
import {
  type App,
  buildPage,
  createLimit,
  invalidInput,
  limitStrangers,
  operationsOn,
  pageExample,
  pageSchema,
  readPaging,
  STRANGER_LIMITS,
} from '../../../platform/http/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { OperationDeps, PublisherOperation } from '../../../tenants/access/index.ts'
import type { ReportRefusal } from '../errors.ts'
import { MEDIA_TYPES, REPORT_FORMATS } from '../formats.ts'
import { resolvePeriod } from '../rules.ts'
import type { ReportStorage } from '../storage/storage.ts'
import type { ReportLinks } from './links.ts'
import { buildFileName, buildStoredName, REPORT, reportIdIn, reportNotFound } from './order.ts'
import { countOrders, findOrder, listOrders, ORDER_SORTS } from './queries.ts'
import * as schema from './schema.ts'
import { getReport, orderReport } from './service.ts'

type Deps = OperationDeps & { readonly reportLinks: ReportLinks; readonly reportStorage: ReportStorage }

const linkExample = {
  url: 'https://rewards.example.com/reports/rpt_01kbjyt5v3f4nvj5yq5yfypr9v/file?expires=1796115600&signature=Zr1…',
  url_expires_at: '2026-12-01T09:00:00.000Z',
}

export function orderRoutes(operation: PublisherOperation, deps: Deps): void {
  operation('POST /reports', {
    config: { scope: 'reports:write' },
    id: 'orderReport',
    summary: 'Order a report as a file',
    description:
      'Generated in the background from a single snapshot; the event `report.ready` announces it. Days are in your time zone. At most twenty reports can wait at a time.',
    body: schema.NewOrderSchema,
    answer: REPORT.schema,
    example: {
      ...REPORT.example,
      status: 'queued',
      rows: null,
      bytes: null,
      sha256: null,
      finished_at: null,
      expires_at: null,
    },
    bodyExample: { kind: 'redemptions', from: '2026-11-01', to: '2026-11-30', format: 'csv' },
    refusals: ['report_queue_full'],
    handler: async ({ body, publisher, now, once }) => {
      const { kind, day, format = 'csv', ...range } = body
      if (day !== undefined && (range.from ?? range.to) !== undefined)
        throw invalidInput([{ field: 'day', code: 'not_allowed', message: 'cannot be combined with from or to' }])
      const answer = resolvePeriod(day === undefined ? range : { from: day, to: day }, toDay(now, publisher.timeZone))
      if ('fault' in answer) throw invalidInput([{ ...answer.fault, code: 'out_of_range' }])
      const { period } = answer
      return once(async (tx) => REPORT.present(await orderReport(tx, publisher, { kind, format, period }, now)))
    },
  })

  operation('GET /reports', {
    config: { scope: 'reports:read' },
    id: 'listReports',
    summary: 'List ordered reports',
    description: 'Newest first, without file URLs.',
    query: schema.OrderQuery,
    answer: pageSchema(REPORT.schema),
    example: pageExample([REPORT.example]),
    handler: async ({ query, publisher }) => {
      const { kind = null, status = null } = query
      const paging = readPaging(query, ORDER_SORTS)
      const [orders, total] = await Promise.all([
        listOrders(deps.db.reader, publisher.id, { kind, status }, paging),
        countOrders(deps.db.reader, publisher.id, { kind, status }),
      ])
      return buildPage(orders.map(REPORT.present), total, paging)
    },
  })

  operation('GET /reports/:report_id', {
    config: { scope: 'reports:read' },
    id: 'getReport',
    summary: 'Get an ordered report with its download URL',
    description: 'The URL needs no key: anyone who has it can download the file until `url_expires_at`.',
    params: schema.OrderParams,
    answer: schema.LinkedOrderSchema,
    example: { ...REPORT.example, ...linkExample },
    refusals: ['report_not_found'],
    handler: async ({ params, publisher }) => {
      const order = await getReport(deps.db.reader, publisher, reportIdIn(params.report_id))
      const link = order.status === 'ready' ? await deps.reportLinks.createLink(order, deps.clock.now()) : null
      return {
        ...REPORT.present(order),
        url: link?.url ?? null,
        url_expires_at: link?.expiresAt.toISOString() ?? null,
      }
    },
  })
}

// Enough for someone who mistypes a link, but too few to brute-force signatures.
const BAD_LINKS = { perSecond: 1, burst: 60 }

/** Registers the public routes, for which a signed link takes the place of an API key. */
export function reportFileRoutes(app: App, deps: Deps & { readonly strangerCallsPerSecond?: number }): void {
  const operation = operationsOn(app, 'Reports', () => ({}))
  const limitAddress = createLimit(BAD_LINKS, 'Too many invalid links from this address.')
  const { serving } = deps.reportStorage
  operation('GET /reports/:report_id/file', {
    open: true,
    preValidation: limitStrangers(deps.strangerCallsPerSecond, STRANGER_LIMITS.file),
    id: 'downloadReport',
    summary: 'Download a report file',
    description:
      '`GET /reports/{report_id}` returns the `url`, including the query. If reports are in S3-compatible storage, the URL points there instead.',
    params: schema.OrderParams,
    query: schema.FileQuery,
    content: Object.fromEntries(
      REPORT_FORMATS.map((format) => [
        MEDIA_TYPES[format].replace(/;.*/, ''),
        { schema: Type.String({ format: 'binary' }), example: '' },
      ]),
    ),
    refusals: ['report_not_found', 'report_link_expired', 'report_expired'],
    handler: async ({ params, query, request, reply }) => {
      const now = deps.clock.now()
      const uncount = limitAddress(reply, toNetwork(request.ip), now.getTime())
      const reportId = reportIdIn(params.report_id)
      const verdict = deps.reportLinks.judge(reportId, query, now)
      if (verdict === 'forged') throw reportNotFound()
      uncount()
      if (verdict === 'expired')
        throw new Refusal<ReportRefusal>(
          'report_link_expired',
          'The link has expired. Get a new one with GET /reports/{id}.',
        )
      const order = await findOrder(deps.db.reader, null, reportId)
      if (order === null || serving.by !== 'service') throw reportNotFound()
      const file = order.status === 'ready' ? await serving.open(buildStoredName(order, order.attempt)) : null
      if (file === null)
        throw new Refusal<ReportRefusal>(
          'report_expired',
          'The file of this report has been removed. Order the report again.',
        )
      reply.header('Content-Type', MEDIA_TYPES[order.format])
      reply.header('Content-Length', file.bytes)
      reply.header('Content-Disposition', `attachment; filename="${buildFileName(order)}"`)
      reply.header('Referrer-Policy', 'no-referrer')
      return reply.send(file.stream)
    },
  })
}
