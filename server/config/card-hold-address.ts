/** Address of the shared card hold: CARD_HOLD_URL into hosts, credentials and TLS. */
import { isLoopback } from '#contract/loopback.ts'

export interface StoreHost {
  readonly host: string
  readonly port: number
}

export interface CardHoldAddress {
  readonly hosts: readonly [StoreHost, ...StoreHost[]]
  /** The name of the primary that the Sentinels watch; null: the one host is the primary. */
  readonly sentinelName: string | null
  readonly tls: boolean
  readonly username: string | null
  readonly password: string | null
}

const PORTS = { server: 6379, sentinel: 26379 } as const

/** A URL has one host; Sentinels are several, so the parts are read one by one. */
const ADDRESS = /^(rediss?)(\+sentinel)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^@/?#]+)(?:\/([\w.-]*))?$/

const hostOf = (text: string, usualPort: number): StoreHost | null => {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : null
  if (url === null || url.pathname !== '/' || url.username !== '' || url.hostname === '') return null
  // A URL leaves out the port 80, which is the usual one of http alone.
  const port = text.endsWith(':80') ? 80 : url.port === '' ? usualPort : Number(url.port)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port }
}

const decoded = (text: string | undefined): string | null => {
  if (text === undefined || text === '') return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Or what is wrong with it, in words that follow the variable's name; never with its password. */
export const readCardHoldAddress = (text: string): CardHoldAddress | { readonly problem: string } => {
  const [, scheme, sentinel, username, password, hostList = '', name = ''] = ADDRESS.exec(text) ?? []
  if (scheme === undefined)
    return {
      problem:
        'cannot be read: set it to rediss://user:password@host:6379, or rediss+sentinel://user:password@host:26379,host:26379/name',
    }
  const isSentinel = sentinel !== undefined
  const found = hostList.split(',').map((each) => hostOf(each, isSentinel ? PORTS.sentinel : PORTS.server))
  const hosts = found.flatMap((each) => (each === null ? [] : [each]))
  const [first, ...others] = hosts
  if (first === undefined || hosts.length < found.length) return { problem: 'names a host that cannot be read' }
  if (!isSentinel && others.length > 0)
    return { problem: 'names several hosts: several are Sentinels, and their scheme ends with +sentinel' }
  if (isSentinel && name === '') return { problem: 'names no primary: end it with /name, as the Sentinels call it' }
  if (!isSentinel && name !== '' && name !== '0')
    return { problem: 'names a database: the hold is a server of its own, so leave the path out' }
  const tls = scheme === 'rediss'
  if (!tls && !hosts.every(({ host }) => isLoopback(host.includes(':') ? `[${host}]` : host)))
    return { problem: 'is without TLS: use rediss://, because plain redis:// is for this machine alone' }
  return {
    hosts: [first, ...others],
    sentinelName: isSentinel ? name : null,
    tls,
    username: decoded(username),
    password: decoded(password),
  }
}
