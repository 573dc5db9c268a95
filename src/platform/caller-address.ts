import ipaddr from 'ipaddr.js'

// A host gets a /64 of IPv6 and may call from any of its 2^64 addresses; whoever has one has them all.
const IPV6_NETWORK_BITS = 64

/**
 * What calls from an address are counted under: an IPv4 address itself, also where it is written as IPv6, and the /64 of
 * any other IPv6 address.
 */
export function networkOf(address: string): string {
  // A closed connection has no address.
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_NETWORK_BITS}`).toString()
}

/** An address or a CIDR range as one, or null for any other text. */
export function rangeOf(text: string): string | null {
  const trimmed = text.trim()
  if (ipaddr.isValidCIDR(trimmed)) return trimmed
  if (!ipaddr.isValid(trimmed)) return null
  return `${trimmed}/${ipaddr.parse(trimmed).kind() === 'ipv4' ? 32 : 128}`
}

/** Whether an address lies in one of the ranges. IPv4 written as IPv6 counts as IPv4. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range)
    return network.kind() === parsed.kind() && parsed.match([network, bits] as never)
  })
}
