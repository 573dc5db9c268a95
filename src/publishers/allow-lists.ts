import type { Reader } from '../platform/database.ts'
import type { Environment, Publisher } from './publisher.ts'
import { listAllowed } from './queries.ts'

/**
 * Whether a redirect URI matches the publisher's list. The host of an entry may begin with `*.`, which matches one or
 * more labels; scheme, port and path must be equal. The URI must be concrete: https, no query, no fragment, no user
 * part, no wildcard (a rule of the interface and of the provider). A sandbox may return to the developer's own machine
 * without an entry, and without https, as the provider's sandbox allows: nobody else can receive it.
 */
export async function isAllowedRedirectUri(
  reader: Reader,
  publisher: Publisher,
  redirectUri: string,
): Promise<boolean> {
  return isAllowed(await listAllowed(reader, publisher.id, 'redirect_uri'), publisher.environment, redirectUri)
}

export function isAllowed(entries: readonly string[], environment: Environment, redirectUri: string): boolean {
  if (environment === 'sandbox' && OWN_MACHINE.test(redirectUri)) return URL.canParse(redirectUri)
  return entries.some((entry) => matchesEntry(entry, redirectUri))
}

export async function isAllowedAndroidPackage(reader: Reader, publisher: Publisher, name: string): Promise<boolean> {
  return (await listAllowed(reader, publisher.id, 'android_package_name')).includes(name)
}

// Parsers disagree about other characters, and the address receives a session.
const PATH = String.raw`(/[A-Za-z0-9\-._~%!$&'()+,;=:@/]*)?`
const OWN_MACHINE = new RegExp(String.raw`^https?://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?${PATH}$`)
const HTTPS = new RegExp(String.raw`^https://[A-Za-z0-9*.\-:[\]]+${PATH}$`)

/** Why a URI cannot be a redirect URI, or null. Only entries of the list may have a wildcard. */
export function redirectUriFault(redirectUri: string, options: { readonly wildcard: boolean }): string | null {
  if (!URL.canParse(options.wildcard ? redirectUri.replace('://*.', '://') : redirectUri))
    return 'must be an absolute URI'
  if (!HTTPS.test(redirectUri)) {
    return redirectUri.startsWith('https:') ? 'must have no query, fragment or user part' : 'must use https'
  }
  const host = redirectUri.slice('https://'.length).split('/')[0] ?? ''
  if (!host.includes('*')) return null
  if (!options.wildcard) return 'must not hold a wildcard'
  if (!/^\*(\.[a-z0-9-]+){2,}(:\d+)?$/i.test(host)) return 'may begin with *. before at least two labels'
  return REGISTRY.test(host) ? "must not begin with *. right before a registry's own name, such as co.uk" : null
}

/**
 * Public suffixes, under which a wildcard would match any owner's domain. Only the common pattern of countries: the
 * full list changes weekly. The provider checks its own list of addresses as well.
 */
const REGISTRY = /^\*\.(co|com|org|net|gov|ac|edu)\.[a-z]{2}(:\d+)?$/i

function matchesEntry(entry: string, redirectUri: string): boolean {
  if (redirectUriFault(redirectUri, { wildcard: false }) !== null) return false
  const wanted = new URL(redirectUri)
  const wildcard = entry.startsWith('https://*.')
  const listed = new URL(wildcard ? entry.replace('://*.', '://') : entry)
  const hostFits = wildcard ? wanted.hostname.endsWith(`.${listed.hostname}`) : wanted.hostname === listed.hostname
  return hostFits && wanted.port === listed.port && wanted.pathname === listed.pathname
}
