/** Address guard: where a webhook may go. A merchant chooses the address, and must not reach our own network by it. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isLoopback } from '#contract/loopback.ts'

export interface AddressRules {
  /** Plain http to this machine: only where we ourselves are reached so. Never by the key: a test key may be used in production. */
  readonly isLoopbackAllowed: boolean
  /** Our own programs on this machine: server, sandbox, metrics, database. */
  readonly ownPorts: readonly number[]
  /** The addresses of this machine, public ones too. */
  readonly ownAddresses: readonly string[]
  /** The operator's list of addresses and CIDR ranges, such as a metadata service that has a public address. */
  readonly denied: readonly string[]
}

type Ip = ReturnType<typeof ipaddr.parse>
type Range = ReturnType<typeof ipaddr.parseCIDR>

/** All that the world's routers know of IPv6; the rest of what a library calls unicast may lead inside. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

const isIn = (ip: Ip, [base, bits]: Range): boolean => ip.kind() === base.kind() && ip.match(base, bits)

const rangeOf = (text: string): Range => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const ip = ipaddr.parse(text)
  return [ip, ip.kind() === 'ipv4' ? 32 : 128]
}

/** The hostname of a URL without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** The address itself, where the URL names one instead of a host. The URL parser has written every spelling of it in one. */
export const literalAddress = (url: URL): string | undefined => (isIP(hostOf(url)) === 0 ? undefined : hostOf(url))

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

const OWN_PORT = 'leads to a port of this server'

/** Why no webhook may go to this URL, whatever its host resolves to; undefined: it may. */
export const urlProblem = (url: URL, { isLoopbackAllowed, ownPorts }: AddressRules): string | undefined => {
  if (url.username !== '' || url.password !== '') return 'holds a user name'
  if (url.protocol === 'https:') return undefined
  if (url.protocol !== 'http:' || !isLoopbackAllowed || !isLoopback(url.hostname)) return 'is not https'
  return ownPorts.includes(portOf(url)) ? OWN_PORT : undefined
}

const PRIVATE = 'leads to an address that is not public'

/** Why no connection may be opened to this address; undefined: it may. Undecidable is refused. */
export const connectProblem = (url: URL, address: string, rules: AddressRules): string | undefined => {
  const { denied, ownAddresses, ownPorts } = rules
  if (!ipaddr.isValid(address) || address.includes('%')) return PRIVATE
  const ip = ipaddr.parse(address)
  if (denied.some((range) => isIn(ip, rangeOf(range)))) return 'leads to an address that the operator denies'
  if (url.protocol === 'http:') return ip.range() === 'loopback' ? undefined : PRIVATE
  if (ip.range() !== 'unicast') return PRIVATE
  // Our database or metrics at the public address of this machine, behind a firewall that lets us ourselves through.
  const isOwn = ownAddresses.some((own) => isIn(ip, rangeOf(own)))
  if (isOwn && ownPorts.includes(portOf(url))) return OWN_PORT
  return ip.kind() === 'ipv4' || isIn(ip, GLOBAL_IPV6) ? undefined : PRIVATE
}
