import { BlockList, isIP } from 'node:net'

/** Recognizes public IP addresses and those of this machine. */

// IANA's special-purpose IPv4 registry, which contains no public servers.
const REFUSED_V4 = buildBlockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])
// Only global unicast is public. Everything else (loopback, mapped IPv4, NAT64, discard, SRv6, unique local,
// link-local, multicast and anything assigned later) is refused without being listed.
const PUBLIC_V6 = buildBlockList('ipv6', [['2000::', 3]])
// Protocol assignments including Teredo, documentation, and 6to4. They are global unicast but contain no servers, or
// are gateways to IPv4.
const REFUSED_V6 = buildBlockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])
const LOOPBACK_V4 = buildBlockList('ipv4', [['127.0.0.0', 8]])

/** Returns true if the text is a public IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !REFUSED_V4.check(address, 'ipv4')
  // A zone (fe80::1%eth0) identifies one of our own interfaces.
  if (family !== 6 || address.includes('%')) return false
  return PUBLIC_V6.check(address, 'ipv6') && !REFUSED_V6.check(address, 'ipv6')
}

export function isLoopbackAddress(address: string): boolean {
  return isIP(address) === 4 ? LOOPBACK_V4.check(address, 'ipv4') : address === '::1'
}

/**
 * Returns true if a URL points to this machine. The URL parser has already normalized every spelling of an IP address.
 */
export function isLoopbackUrl(url: URL): boolean {
  const host = stripHost(url.hostname)
  return host === 'localhost' || isLoopbackAddress(host)
}

/** Strips the brackets from an IPv6 address, or the trailing dot from a name. */
export function stripHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
}

function buildBlockList(family: 'ipv4' | 'ipv6', ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family)
  return list
}
