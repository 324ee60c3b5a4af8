/** Names of endpoints: resolved by DNS alone, apart from the threads that files and databases need. */
import { Resolver } from 'node:dns/promises'
import { isLoopback } from '#contract/loopback.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export type ResolveName = (hostname: string) => Promise<readonly ResolvedAddress[]>

const RESOLVER_TIMEOUT_MS = 3000

const THIS_MACHINE: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Not by the system's own lookup: it runs on four threads, which a merchant could fill with names that nobody answers. And not
 * by /etc/hosts or a search domain either, which name machines of our own.
 */
export const resolveName: ResolveName = async (hostname) => {
  if (isLoopback(hostname)) return THIS_MACHINE
  const resolver = new Resolver({ timeout: RESOLVER_TIMEOUT_MS, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}
