import Type, { type Static } from 'typebox'
import { findAddedUp, readVerification } from '../ledger/index.ts'
import type { Reader } from '../platform/db/database.ts'
import { enumField, namedObject, nullable } from '../platform/http/index.ts'
import { listLoopStates } from '../platform/queue/loops.ts'
import { countWaitingFacts } from '../platform/queue/outbox.ts'
import { WAITING_MAX } from '../platform/queue/waiting.ts'
import { instant, integer, oneOf, text } from '../platform/resource/fields.ts'
import { resource } from '../platform/resource/resource.ts'
import { countByState, readProviderStates } from '../purchases/linker/index.ts'
import type { OperatorDeps, OperatorOperation } from '../tenants/access/index.ts'
import { ENVIRONMENTS } from '../tenants/publishers/index.ts'
import { countDue, findMigrations, WORK_QUEUES } from './work-queries.ts'

const LOOP = resource('WorkerLoop', {
  name: text({ example: 'facts' }),
  every_ms: integer({ example: 200, description: 'Pause after a pass that found nothing to do, in milliseconds.' }),
  last_success_at: instant({
    nullable: true,
    example: '2026-11-21T10:15:30.000Z',
    description: 'When a pass last succeeded; null if none has.',
  }),
  last_failure_at: instant({
    nullable: true,
    example: null,
    description: 'When a pass last failed; null if none has.',
  }),
  failures: integer({ example: 0, description: 'Failed passes since the last success.' }),
})
const QUEUE = resource('WorkQueue', {
  what: oneOf(WORK_QUEUES, {
    example: 'webhooks',
    description:
      'facts: work that one part of the service does for another. events: events that have no number yet. webhooks: per-user queues at an endpoint. feeds: linked logins due to be read. reports: includes reports being generated.',
  }),
  due: integer({
    property: 'count',
    example: 2,
    description: `Number of due items; ${WAITING_MAX} means ${WAITING_MAX} or more.`,
  }),
  oldest_due_at: instant({
    property: 'oldestAt',
    nullable: true,
    example: '2026-11-21T10:15:28.000Z',
    description: 'When the oldest item became due; null if none is due or the time is not known.',
  }),
})

const WorkSchema = namedObject('ServiceWork', {
  loops: Type.Array(LOOP.schema, {
    description: 'Loops of the process that answers this request; empty if the workers are other processes.',
  }),
  queues: Type.Array(QUEUE.schema, {
    description: 'Due work across all processes. A stalled loop shows up here.',
  }),
  failed_facts: Type.Integer({
    description: 'Facts whose work has failed too often. They are set aside until retried.',
  }),
  ledger: namedObject(
    'LedgerWork',
    {
      added_up_until: Type.String({
        description: 'Time up to which bookings are included in the totals of the overview.',
      }),
      verified_seconds_ago: nullable(
        Type.Integer({ description: 'Seconds since the last verification, or null if there was none.' }),
      ),
      differences: Type.Integer({
        description:
          'Number of differences found by the last verification. Any value other than zero needs human attention.',
      }),
    },
    { description: 'How far the totals and the verification have progressed through the ledger.' },
  ),
  provider: namedObject(
    'ProviderHealth',
    {
      accounts: Type.Array(
        namedObject('ProviderAccountHealth', {
          environment: enumField(ENVIRONMENTS, 'Environment of the provider.'),
          account: enumField(
            ['service', 'publishers'],
            "publishers: the publishers' own accounts, represented by the one in the worst state.",
          ),
          state: enumField(
            ['closed', 'half-open', 'open'],
            'closed: calls are made. open: no calls are made, because several failed. half-open: one call is tried.',
          ),
        }),
        { description: 'Accounts as seen by the process that answers, based on its own calls.' },
      ),
      broken_logins: Type.Integer({
        description: 'Linked logins that do not work; `GET /operator/logins/broken` lists them.',
      }),
      faults: Type.Array(
        namedObject('ProviderFault', {
          code: Type.String({ description: "The provider's error code." }),
          count: Type.Integer({ description: 'Number of logins.' }),
        }),
        {
          description: "Logins whose last call failed, by the provider's error code.",
        },
      ),
    },
    { description: 'The linking provider.' },
  ),
  database: namedObject(
    'DatabaseState',
    {
      version: Type.String({ description: 'PostgreSQL version.' }),
      migrations: Type.Integer({ description: 'Number of applied migrations.' }),
      newest_migration: Type.String({ description: 'File name of the newest migration.' }),
      migrated_at: Type.String({ description: 'When the newest migration was applied.' }),
    },
    { description: 'The database and its schema.' },
  ),
})

/** Registers the route for the health of the service: its loops, queues and database. */
export function operatorWorkRoutes(operation: OperatorOperation, { db: { reader }, clock }: OperatorDeps): void {
  operation('GET /operator/work', {
    config: { permission: 'facts:read' },
    id: 'getServiceWork',
    summary: "Get the state of the service's own work: loops, queues, ledger, provider, database",
    description: 'For manual health checks; base alerts on `/metrics`.',
    answer: WorkSchema,
    example: {
      loops: [LOOP.example],
      queues: [QUEUE.example],
      failed_facts: 0,
      ledger: { added_up_until: '2026-11-21T10:15:29.000Z', verified_seconds_ago: 1800, differences: 0 },
      provider: {
        accounts: [{ environment: 'production', account: 'service', state: 'closed' }],
        broken_logins: 5,
        faults: [{ code: 'INSTITUTION_DOWN', count: 3 }],
      },
      database: {
        version: '18.4',
        migrations: 13,
        newest_migration: '0013_checks_validated.sql',
        migrated_at: '2026-11-20T08:00:00.000Z',
      },
    },
    handler: async () => readWork(reader, clock.now()),
  })
}

async function readWork(reader: Reader, now: Date): Promise<Static<typeof WorkSchema>> {
  const [queues, failed, addedUp, verification, accounts, states, database] = await Promise.all([
    Promise.all(WORK_QUEUES.map(async (what) => ({ what, ...(await countDue(reader, what, now)) }))),
    countWaitingFacts(reader),
    findAddedUp(reader),
    readVerification(reader),
    readProviderStates(),
    countByState(reader),
    findMigrations(reader),
  ])
  const ago = verification.ageSeconds
  return {
    loops: listLoopStates().map(LOOP.present),
    queues: queues.map(QUEUE.present),
    failed_facts: failed.count,
    ledger: {
      added_up_until: addedUp.toISOString(),
      verified_seconds_ago: Number.isFinite(ago) ? Math.round(ago) : null,
      differences: verification.differences,
    },
    provider: {
      accounts,
      broken_logins: states.reduce((sum, { kind, count }) => (kind === 'error' ? sum + count : sum), 0),
      faults: states.flatMap(({ kind, name, count }) => (kind === 'fault' ? { code: name, count } : [])),
    },
    database: {
      version: database.database,
      migrations: database.count,
      newest_migration: database.newest,
      migrated_at: database.appliedAt.toISOString(),
    },
  }
}
