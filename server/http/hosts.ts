/** Hosts: which merchant, or the bridge or the console, a host name stands for. */
import { isIP } from 'node:net'
import { hasConsole, isMerchantLabel } from '../origins.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import type { FindMerchant, RecentMerchants } from '../store/merchant/recent-merchants.ts'

/** What a host name stands for: a merchant by its first label, the bridge, the console, nobody in particular (the bare base), or none of ours. */
export type HostRole =
  | { readonly host: 'merchant'; readonly label: string }
  | { readonly host: 'bridge' }
  | { readonly host: 'console' }
  | { readonly host: 'base' }
  | { readonly host: 'foreign' }

const hostname = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')

export const readHost = (hostHeader: string | undefined, base: URL): HostRole => {
  const name = hostname(hostHeader ?? '')
  const baseName = base.hostname
  if (name === baseName) return { host: 'base' }
  if (!name.endsWith(`.${baseName}`)) {
    // A developer's tools call 127.0.0.1 because Node does not resolve *.localhost.
    const isLocal = baseName === 'localhost' && isIP(name.replace(/^\[|\]$/g, '')) !== 0
    return { host: isLocal ? 'base' : 'foreign' }
  }
  const label = name.slice(0, -baseName.length - 1)
  if (label === '3ds') return { host: 'bridge' }
  if (label === 'console') return { host: hasConsole(base) ? 'console' : 'foreign' }
  return isMerchantLabel(label) ? { host: 'merchant', label } : { host: 'foreign' }
}

/** The merchant of a document: the host alone names it. */
export const merchantOfDocument = async (findMerchant: FindMerchant, host: HostRole): Promise<Merchant | null> =>
  host.host === 'merchant' ? findMerchant(host.label) : null

/** The merchant of an error page, without a call to the database; null: the page stays neutral. */
export const merchantOfErrorPage = ({ recall }: RecentMerchants, host: HostRole): Merchant | null =>
  host.host === 'merchant' ? recall(host.label) : null

/** The merchant of a shopper's call: the header names it, and on a merchant's host the two must agree. */
export const merchantOfCall = async (
  findMerchant: FindMerchant,
  host: HostRole,
  header: unknown,
): Promise<Merchant | null> => {
  if (typeof header !== 'string' || !isMerchantLabel(header)) return null
  // The calls of a shopper's page are made at a shop's host, or at the base by tools of a developer.
  if (host.host !== 'merchant' && host.host !== 'base') return null
  if (host.host === 'merchant' && host.label !== header) return null
  return findMerchant(header)
}
