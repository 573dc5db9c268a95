import pack from '../packs/hosts.json' with { type: 'json' }
import { setOf } from '../packs/lists.ts'

// Which site a website or an address inside a descriptor belongs to. A brand declares `acme.com` or, where several
// brands share one domain, its own part of it (`delta-hotels.marriott.com`). A purchase belongs to the longest declared
// part it lies under. The plain registrable domain is not enough: every hotel of a group would be any of them.

/** Hosts that carry many merchants: they say who took the payment or hosts the page, not who sold. */
export const sharedHosts = setOf(pack.shared)

/** First labels of a host that name a page of the same merchant, not another merchant. */
const pageLabels = setOf(pack.pageLabels)

/** Endings that make a word of a descriptor an address: `ST.LOUIS` and `INC.` are none. */
const addressEndings = setOf(pack.endings)

const hostPattern = /^(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,24}$/
const publicSecondLevel = /^(?:co|com|org|net|gov|ac|edu|ne|or)$/

/** The host of a website as a merchant or a provider writes it, or null when it is none. */
export function hostOf(website: string): string | null {
  const bounded = website.slice(0, 300).trim().toLowerCase()
  const bare = bounded.replace(/^[a-z][a-z0-9+.-]{0,20}:\/\//, '')
  const end = bare.search(/[/?#\s]/)
  const authority = (end < 0 ? bare : bare.slice(0, end)).replace(/^[^@]{0,100}@/, '')
  const host = authority.replace(/:\d{1,5}$/, '').replace(/\.$/, '')
  return hostPattern.test(host) ? host : null
}

/** The part of a brand's website that is the brand's alone, or null when others share it. */
export function declaredDomain(website: string): string | null {
  const host = hostOf(website)
  if (host === null) return null
  const labels = host.split('.')
  const own = registrableLength(labels)
  while (labels.length > own && pageLabels.has(labels[0] ?? '')) labels.shift()
  const domain = labels.join('.')
  return sharedHosts.has(domain) ? null : domain
}

/** The declared domains a host may lie under, longest first, down to the registrable one. */
export function domainsAbove(host: string): string[] {
  const labels = host.split('.')
  const above: string[] = []
  for (let drop = 0; labels.length - drop >= registrableLength(labels); drop += 1) {
    const domain = labels.slice(drop).join('.')
    if (!sharedHosts.has(domain)) above.push(domain)
  }
  return above
}

/** The part of a host that is registered: the last two labels, or three below a country's own second level. */
export function registrableOf(host: string): string {
  const labels = host.split('.')
  return labels.slice(-registrableLength(labels)).join('.')
}

function registrableLength(labels: readonly string[]): number {
  const last = labels.at(-1) ?? ''
  return labels.length > 2 && last.length === 2 && publicSecondLevel.test(labels.at(-2) ?? '') ? 3 : 2
}

/** The addresses written inside a folded descriptor, in their order. */
export function hostsWithin(folded: string): string[] {
  const hosts: string[] = []
  if (!folded.includes('.')) return hosts
  for (const piece of folded.split(/[\s*/,;()|]/)) {
    const dot = piece.lastIndexOf('.')
    if (dot <= 0 || !addressEndings.has(piece.slice(dot + 1)) || !hostPattern.test(piece)) continue
    hosts.push(piece)
  }
  return hosts
}
