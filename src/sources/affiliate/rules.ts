import type { Day } from '../../platform/calendar.ts'

const SUB_ID_MARK = '{sub_id}'
const TEMPLATE_LENGTH_MAX = 2048

/** Returns the reason a URL cannot be an advertiser's template; null if it can. */
export function findTemplateFault(template: string): string | null {
  if (template.length > TEMPLATE_LENGTH_MAX) return `must not be longer than ${TEMPLATE_LENGTH_MAX} characters`
  const probe = template.replaceAll(SUB_ID_MARK, 'x')
  if (!URL.canParse(probe)) return 'must be an absolute URL'
  const address = new URL(probe)
  if (address.protocol !== 'https:') return 'must use https'
  if (address.username !== '' || address.password !== '') return 'must not contain a user name or password'
  // The destination of a link must not depend on the sub-id.
  if (template.indexOf(SUB_ID_MARK) >= 0 && template.indexOf(SUB_ID_MARK) < originLength(template)) {
    return `must contain ${SUB_ID_MARK} only after its host`
  }
  return null
}

/** Adds the sub-id to the template as a query parameter, unless it already has a placeholder. */
export function completeTemplate(template: string): string {
  if (template.includes(SUB_ID_MARK)) return template
  const [address = '', fragment] = template.split('#')
  const joined = `${address}${address.includes('?') ? '&' : '?'}sub_id=${SUB_ID_MARK}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

export function buildAddress(template: string, subId: string): string {
  return template.replaceAll(SUB_ID_MARK, encodeURIComponent(subId))
}

function originLength(template: string): number {
  const host = template.indexOf('://') + 3
  const end = template.slice(host).search(/[/?#]/)
  return end < 0 ? template.length : host + end
}

export type Program = {
  readonly offerUid: string
  readonly network: string
  readonly addressTemplate: string
  readonly currency: string
  readonly firstDay: Day | null
  readonly lastDay: Day | null
}

/** Returns true if today is between the program's first and last day, inclusive. */
export function isRunning(program: Program, today: Day): boolean {
  return (
    (program.firstDay === null || program.firstDay <= today) && (program.lastDay === null || program.lastDay >= today)
  )
}

export type SaleStatus = 'pending' | 'approved' | 'rejected'
/** `amended` marks a report that changes the amount of a sale but not its state. */
export type ReportedStatus = SaleStatus | 'amended'

export type Content = Readonly<Record<string, unknown>>
