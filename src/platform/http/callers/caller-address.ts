import ipaddr from 'ipaddr.js'

// An IPv6 host is typically assigned an entire /64 and can call from any of its 2^64 addresses.
const IPV6_NETWORK_BITS = 64

/**
 * Returns the network by which an address is rate-limited: an IPv4 address itself, even in IPv6 notation, or the /64 of
 * an IPv6 address.
 */
export function toNetwork(address: string): string {
  // The address of a closed connection is empty.
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_NETWORK_BITS}`).toString()
}

/** Normalizes an address or CIDR range to a CIDR range; null for any other text. */
export function parseRange(text: string): string | null {
  const trimmed = text.trim()
  if (ipaddr.isValidCIDR(trimmed)) return trimmed
  if (!ipaddr.isValid(trimmed)) return null
  return `${trimmed}/${ipaddr.parse(trimmed).kind() === 'ipv4' ? 32 : 128}`
}

/** Returns true if the address falls within one of the ranges. IPv4-mapped IPv6 addresses count as IPv4. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range)
    return network.kind() === parsed.kind() && parsed.match([network, bits] as never)
  })
}
