/** Untrusted proxy: says so once when a proxy beside us is not in TRUSTED_PROXIES, for then all shoppers have its address. */
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'

const NEARBY = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  NEARBY.addSubnet(network, prefix)
NEARBY.addAddress('::1', 'ipv6')
NEARBY.addSubnet('fc00::', 7, 'ipv6')

const isNearby = (address: string): boolean => NEARBY.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

type Seen = Pick<FastifyRequest, 'headers' | 'ip' | 'socket'>

export const createProxyCheck = (log: Log): ((request: Seen) => void) => {
  let hasWarned = false
  return ({ headers, ip, socket }) => {
    const peer = socket.remoteAddress ?? ''
    // From afar anybody may send the header; a proxy of ours is near.
    if (hasWarned || headers['x-forwarded-for'] === undefined || ip !== peer || !isNearby(peer)) return
    hasWarned = true
    log.warn(
      'a proxy is not trusted: all its shoppers count as one address, and the limits on card testing refuse them together',
      {
        address: peer,
        why: 'add its address to TRUSTED_PROXIES',
      },
    )
  }
}
