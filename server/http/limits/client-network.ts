/** Client network: what limits count as one address: an IPv4 address, or the first 64 bits of an IPv6 address. */
import { isIPv4, isIPv6 } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const GROUPS = 8
const NETWORK_GROUPS = 4

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))

/** A household has a whole /64 of IPv6 addresses, and so has a bot. */
const ipv6Network = (address: string): string => {
  const [head = '', tail = ''] = address.split('::')
  const front = groupsOf(head)
  const zeros = address.includes('::') ? GROUPS - front.length - groupsOf(tail).length : 0
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...groupsOf(tail)]
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** Fastify gives the socket's address or, past trusted proxies, what stands in X-Forwarded-For: any text at all. */
export const clientNetwork = (ip: string | undefined): string => {
  // Undefined after the connection has closed, although the type of request.ip says string.
  if (ip === undefined) return 'unknown'
  const [address = ''] = ip.split('%')
  const mapped = MAPPED_IPV4.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (isIPv4(address)) return address
  return isIPv6(address) ? ipv6Network(address) : 'unknown'
}
