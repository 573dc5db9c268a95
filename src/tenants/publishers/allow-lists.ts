import type { Reader } from '../../platform/db/database.ts'
import type { Environment, Publisher } from './publisher.ts'
import { listAllowed } from './queries.ts'

/**
 * Returns true if the redirect URI matches an entry of the publisher's list. An entry's host may begin with `*.`, which
 * matches one or more labels. Scheme, port and path must be equal. The URI must be concrete: https, with no query,
 * fragment, userinfo or wildcard (a rule of both the API and the provider). A sandbox may redirect to the developer's
 * own machine without an entry or https, as in the provider's sandbox, because nobody else can receive the redirect.
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

// Allows only characters that all URL parsers treat alike, because whoever receives the redirect gets a session.
const PATH = String.raw`(/[A-Za-z0-9\-._~%!$&'()+,;=:@/]*)?`
const OWN_MACHINE = new RegExp(String.raw`^https?://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?${PATH}$`)
const HTTPS = new RegExp(String.raw`^https://[A-Za-z0-9*.\-:[\]]+${PATH}$`)

/** Returns the reason a URI cannot be a redirect URI; null if it can. Only list entries may contain a wildcard. */
export function findRedirectUriFault(redirectUri: string, options: { readonly wildcard: boolean }): string | null {
  if (!URL.canParse(options.wildcard ? redirectUri.replace('://*.', '://') : redirectUri))
    return 'must be an absolute URI'
  if (!HTTPS.test(redirectUri)) {
    return redirectUri.startsWith('https:')
      ? 'must not have a query string, fragment, user name or password'
      : 'must use https'
  }
  const host = redirectUri.slice('https://'.length).split('/')[0] ?? ''
  if (!host.includes('*')) return null
  if (!options.wildcard) return 'must not contain a wildcard'
  if (!/^\*(\.[a-z0-9-]+){2,}(:\d+)?$/i.test(host)) return 'may begin with *. only if at least two labels follow'
  return REGISTRY.test(host) ? 'must not have *. directly before a public suffix, such as co.uk' : null
}

/**
 * Matches public suffixes, below which a wildcard would match domains with different owners. Covers only the common
 * country pattern, because the full list changes weekly. The provider also checks URIs against its own list.
 */
const REGISTRY = /^\*\.(co|com|org|net|gov|ac|edu)\.[a-z]{2}(:\d+)?$/i

function matchesEntry(entry: string, redirectUri: string): boolean {
  if (findRedirectUriFault(redirectUri, { wildcard: false }) !== null) return false
  const wanted = new URL(redirectUri)
  const wildcard = entry.startsWith('https://*.')
  const listed = new URL(wildcard ? entry.replace('://*.', '://') : entry)
  const hostFits = wildcard ? wanted.hostname.endsWith(`.${listed.hostname}`) : wanted.hostname === listed.hostname
  return hostFits && wanted.port === listed.port && wanted.pathname === listed.pathname
}
