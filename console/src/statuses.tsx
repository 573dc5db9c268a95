import type { Schemas } from './api/client.ts'
import { Pill, type Tone } from './ui/pill.tsx'

type Endpoint = Pick<Schemas['WebhookEndpoint'], 'status' | 'failing_since'>
type Look = readonly [label: string, tone: Tone]

const TRANSACTION: Readonly<Record<Schemas['TransactionStatus'], Look>> = {
  PENDING: ['Pending', 'waiting'],
  EARNED: ['Earned', 'good'],
  CANCELLED: ['Canceled', 'neutral'],
}
const CLAIM: Readonly<Record<Schemas['ClaimStatus'], Look>> = {
  open: ['Open', 'waiting'],
  granted: ['Granted', 'good'],
  declined: ['Declined', 'bad'],
  withdrawn: ['Withdrawn', 'neutral'],
}
const REDEMPTION: Readonly<Record<Schemas['RedemptionStatus'], Look>> = {
  requested: ['Requested', 'waiting'],
  approved: ['Approved', 'info'],
  sent: ['Sent', 'info'],
  paid: ['Paid', 'good'],
  failed: ['Failed', 'bad'],
  returned: ['Returned', 'bad'],
  cancelled: ['Canceled', 'neutral'],
}
const DELIVERY: Readonly<Record<Schemas['WebhookDeliveryStatus'], Look>> = {
  pending: ['Pending', 'waiting'],
  delivered: ['Delivered', 'good'],
  exhausted: ['Given up', 'bad'],
}
const ENDPOINT: Readonly<Record<Schemas['WebhookEndpointStatus'], Look>> = {
  enabled: ['Enabled', 'good'],
  paused: ['Paused', 'bad'],
  disabled: ['Disabled', 'neutral'],
}
const USER: Readonly<Record<Schemas['UserAccountStatus'], Look>> = {
  ACTIVE: ['Active', 'good'],
  PENDING: ['Terms not accepted', 'waiting'],
  INACTIVE: ['Deactivated', 'neutral'],
  INVALID: ['Deactivated', 'neutral'],
}
const ADJUSTMENT: Readonly<Record<Schemas['AdjustmentStatus'], Look>> = {
  proposed: ['Needs a second person', 'waiting'],
  booked: ['Booked', 'good'],
  declined: ['Declined', 'neutral'],
}

const REPORT: Readonly<Record<Schemas['ReportStatus'], Look>> = {
  queued: ['Queued', 'waiting'],
  running: ['In progress', 'waiting'],
  ready: ['Ready', 'good'],
  failed: ['Failed', 'bad'],
  expired: ['Expired', 'neutral'],
}

function createPill<Status extends string>(looks: Readonly<Record<Status, Look>>) {
  return ({ status }: { readonly status: Status }) => {
    const [label, tone] = looks[status]
    return <Pill tone={tone}>{label}</Pill>
  }
}

export const TransactionPill = createPill(TRANSACTION)
export const ClaimPill = createPill(CLAIM)
export const RedemptionPill = createPill(REDEMPTION)
export const DeliveryPill = createPill(DELIVERY)
const EndpointStatusPill = createPill(ENDPOINT)

/** Shows an endpoint with failing deliveries as failing, because "enabled" is merely its setting. */
export function EndpointPill({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, failing_since } = endpoint
  if (status === 'enabled' && failing_since !== null) return <Pill tone="bad">Failing</Pill>
  return <EndpointStatusPill status={status} />
}
export const UserPill = createPill(USER)
export const AdjustmentPill = createPill(ADJUSTMENT)
export const ReportPill = createPill(REPORT)
