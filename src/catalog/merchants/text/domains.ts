import pack from '../packs/hosts.json' with { type: 'json' }
import { toSet } from '../packs/lists.ts'

// Determines which brand's domain a website, or a URL inside a descriptor, belongs to. A brand declares `acme.com` or,
// if several brands share one domain, its own subdomain (`delta-hotels.marriott.com`). A host belongs to the longest
// declared domain that contains it. Registrable domains would not suffice, because every hotel in a group would
// match all the others.

/** Hosts shared by many merchants. They show who took the payment or hosts the page, not who sold the goods. */
export const sharedHosts = toSet(pack.shared)

/** Leading host labels that denote a page of the same merchant rather than another merchant. */
const pageLabels = toSet(pack.pageLabels)

/** Top-level domains that mark a word in a descriptor as a URL. `ST.LOUIS` and `INC.` are not URLs. */
const addressEndings = toSet(pack.endings)

const hostPattern = /^(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,24}$/
const publicSecondLevel = /^(?:co|com|org|net|gov|ac|edu|ne|or)$/

/**
 * Returns the host of a website in any notation that merchants and providers use; null if the text is not a website.
 */
export function parseHost(website: string): string | null {
  const bounded = website.slice(0, 300).trim().toLowerCase()
  const bare = bounded.replace(/^[a-z][a-z0-9+.-]{0,20}:\/\//, '')
  const end = bare.search(/[/?#\s]/)
  const authority = (end < 0 ? bare : bare.slice(0, end)).replace(/^[^@]{0,100}@/, '')
  const host = authority.replace(/:\d{1,5}$/, '').replace(/\.$/, '')
  return hostPattern.test(host) ? host : null
}

/** Returns the domain of a website that belongs only to the brand; null if the domain is shared. */
export function findDeclaredDomain(website: string): string | null {
  const host = parseHost(website)
  if (host === null) return null
  const labels = host.split('.')
  const own = registrableLength(labels)
  while (labels.length > own && pageLabels.has(labels[0] ?? '')) labels.shift()
  const domain = labels.join('.')
  return sharedHosts.has(domain) ? null : domain
}

/** Returns the domains that contain a host, longest first, down to the registrable one, except shared hosts. */
export function listDomainsAbove(host: string): string[] {
  const labels = host.split('.')
  const above: string[] = []
  for (let drop = 0; labels.length - drop >= registrableLength(labels); drop += 1) {
    const domain = labels.slice(drop).join('.')
    if (!sharedHosts.has(domain)) above.push(domain)
  }
  return above
}

/** Returns the registrable part of a host: the last two labels, or three below a country's second-level domain. */
export function toRegistrable(host: string): string {
  const labels = host.split('.')
  return labels.slice(-registrableLength(labels)).join('.')
}

function registrableLength(labels: readonly string[]): number {
  const last = labels.at(-1) ?? ''
  return labels.length > 2 && last.length === 2 && publicSecondLevel.test(labels.at(-2) ?? '') ? 3 : 2
}

/** Returns the hosts inside a folded descriptor, in order. */
export function findHosts(folded: string): string[] {
  const hosts: string[] = []
  if (!folded.includes('.')) return hosts
  for (const piece of folded.split(/[\s*/,;()|]/)) {
    const dot = piece.lastIndexOf('.')
    if (dot <= 0 || !addressEndings.has(piece.slice(dot + 1)) || !hostPattern.test(piece)) continue
    hosts.push(piece)
  }
  return hosts
}
