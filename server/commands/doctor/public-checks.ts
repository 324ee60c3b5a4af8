/** Public checks: the way from a browser to this server: wildcard name, certificate, proxy. */
import { COMMAND_NAMES } from '../../config/release.ts'
import { DAY_MS } from '#contract/jst.ts'
import { isLoopback } from '#contract/loopback.ts'
import { MERCHANT_ROUTES } from '#contract/access.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { bridgeOrigin, merchantOrigin } from '../../origins.ts'
import { fail, ok, warn, type Finding } from './finding.ts'
import { codeOf, type CertificateFacts, type Network, type Reply } from './network.ts'

/** What was asked for and came, or why nothing came. */
export type Seen<T> = { readonly seen: T } | { readonly missing: string }

const see = async <T>(reading: Promise<T>): Promise<Seen<T>> => {
  try {
    return { seen: await reading }
  } catch (error) {
    return { missing: codeOf(error) }
  }
}

export const judgeWildcard = (base: URL, addresses: Seen<readonly string[]>): Finding => {
  if (isLoopback(base.hostname)) return ok(`browsers lead *.${base.hostname} to this machine by themselves`)
  const wildcard = `*.${base.hostname}`
  if ('missing' in addresses || addresses.seen.length === 0)
    return fail(
      `${wildcard} has no address${'missing' in addresses ? ` (${addresses.missing})` : ''}`,
      `add a DNS record for ${wildcard} that leads to the proxy.`,
    )
  return ok(`${wildcard} is at ${addresses.seen.join(', ')}`)
}

export const CERTIFICATE_WARN_DAYS = 14

export const judgeCertificate = (host: string, facts: Seen<CertificateFacts>, now: number): Finding => {
  if ('missing' in facts)
    return fail(
      `${host} has no TLS (${facts.missing})`,
      'see that this name has an address, and that the proxy that ends TLS listens on this port.',
    )
  const { untrusted, validTo } = facts.seen
  const days = Math.floor((validTo - now) / DAY_MS)
  if (untrusted !== null)
    return fail(
      `a browser refuses the certificate of ${host} (${untrusted})`,
      'give the proxy a certificate for the base and for *. below it, with its whole chain.',
    )
  const says = `trusted for ${host}, ${days} days left`
  return days < CERTIFICATE_WARN_DAYS ? warn(says, 'renew it, and see that it is renewed by itself.') : ok(says)
}

/** What two requests through the proxy say, neither of which needs or tells anything secret. */
export interface ProxyFacts {
  /** The merchant API, without a key, on the host of a merchant whom nobody knows: it says that it is at the base. */
  readonly unknownMerchant: Seen<Reply>
  /** A page of the bridge that is over: answered on the bridge's own host alone. */
  readonly bridge: Seen<Reply>
}

const PASS_HOST =
  'let the proxy pass the Host header on as the name by which it chose the site, as deploy/nginx.conf does.'

export const judgeProxy = (base: URL, { unknownMerchant, bridge }: ProxyFacts): Finding => {
  if ('missing' in unknownMerchant)
    return fail(
      `no answer from a merchant's host (${unknownMerchant.missing})`,
      'see that the proxy runs and leads *. below the base to PORT of this server.',
    )
  const { status, body } = unknownMerchant.seen
  if (status !== 401 || !body.includes('invalid_api_key'))
    return fail(
      `a merchant's host does not lead to Kaikei (HTTP ${status})`,
      'let the proxy lead *. below the base to PORT of this server.',
    )
  if (!body.includes(`is at ${base.host}.`))
    return fail('a merchant’s host arrives as another one', `${PASS_HOST} PUBLIC_BASE must be the same for both.`)
  if ('missing' in bridge)
    return fail(
      `no answer from the bridge (${bridge.missing})`,
      'let the proxy lead 3ds. below the base to this server.',
    )
  return bridge.seen.status === 404 && bridge.seen.contentType.startsWith('text/plain')
    ? ok('merchants’ hosts and the bridge arrive under their own names')
    : fail('the host of the bridge arrives as another one', PASS_HOST)
}

export const judgeServer = (address: string, reply: Seen<Reply>): Finding => {
  if ('missing' in reply)
    return fail(`nobody answers at ${address} (${reply.missing})`, `start the server: ${COMMAND_NAMES.start}.`)
  if (reply.seen.status === 200) return ok(`ready at ${address}`)
  return fail(
    `the server at ${address} is not ready (HTTP ${reply.seen.status})`,
    'see what the check of the database says, and the log of the server.',
  )
}

/** The server itself, past every proxy. A host that means every address is asked on this machine. */
export const lookAtServer = async (
  network: Network,
  { host, port, publicBase }: { readonly host: string; readonly port: number; readonly publicBase: URL },
): Promise<Finding> => {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const url = new URL(`http://${publicBase.hostname}:${port}/readyz`)
  return judgeServer(`${address} port ${port}`, await see(network.ask(url, address)))
}

export const lookAtWildcard = async (network: Network, base: URL, label: string): Promise<Finding> =>
  judgeWildcard(base, await see(network.resolve(`${label}.${base.hostname}`)))

/** Of a host: its first address; rejects where it has none. */
const addressOf = async (network: Network, host: string): Promise<string> => {
  const [address] = await network.resolve(host)
  if (address === undefined) throw new Error('no address')
  return address
}

/** The certificate must do for a merchant's host and for the base, where the merchant API is. */
export const lookAtCertificate = async (network: Network, base: URL, label: string, now: number): Promise<Finding> => {
  if (base.protocol === 'http:') return ok('plain http needs none')
  const port = base.port === '' ? 443 : Number(base.port)
  const judged = async (host: string): Promise<Finding> => {
    const facts = see(addressOf(network, host).then((address) => network.certificate(host, port, address)))
    return judgeCertificate(host, await facts, now)
  }
  const ofBase = await judged(base.hostname)
  const ofMerchant = await judged(`${label}.${base.hostname}`)
  // The two may have certificates of their own: the worse finding counts.
  const found = (state: Finding['state']) => [ofBase, ofMerchant].find((finding) => finding.state === state)
  return found('fail') ?? found('warn') ?? ofMerchant
}

export const lookAtProxy = async (network: Network, base: URL, label: string): Promise<Finding> => {
  const ask = async (address: string): Promise<Seen<Reply>> => {
    const url = new URL(address)
    return see(addressOf(network, url.hostname).then((at) => network.ask(url, at)))
  }
  return judgeProxy(base, {
    unknownMerchant: await ask(`${merchantOrigin(base, label)}${MERCHANT_BASE}${MERCHANT_ROUTES.readMe.path}`),
    bridge: await ask(`${bridgeOrigin(base)}/collect/${label}`),
  })
}
