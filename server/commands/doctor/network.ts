/** Network of `doctor`: name resolution, certificates and requests to one address, each with a time limit. */
import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import { isLoopback } from '#contract/loopback.ts'
import { sendAsBrowser } from '../send-as-browser.ts'

export interface CertificateFacts {
  /** Why a browser would not trust it for this host; null where it would. */
  readonly untrusted: string | null
  readonly validTo: number
}

export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export interface Network {
  /** The addresses of a host; rejects where it has none. */
  resolve(host: string): Promise<readonly string[]>
  certificate(host: string, port: number, address: string): Promise<CertificateFacts>
  /** GET of this URL at this address; no redirect is followed. */
  ask(url: URL, address: string): Promise<Reply>
}

const TIMEOUT_MS = 5000
const LIMITS = { timeoutMs: TIMEOUT_MS, bytesMax: 64 * 1024, isCut: true }

/** Browsers lead every *.localhost to this machine by themselves; Node asks the system, which often does not know it. */
export const resolveBySystem: Network['resolve'] = async (host) =>
  isLoopback(host) ? ['127.0.0.1'] : (await lookup(host, { all: true })).map(({ address }) => address)

/** The words of an error may be long, and name the host once more: its code says enough. */
export const codeOf = (error: unknown): string => {
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.message
  return String(error)
}

const readCertificate =
  (ca: string | undefined): Network['certificate'] =>
  (host, port, address) =>
    new Promise((resolve, reject) => {
      // Looked at in any case: a certificate that a browser refuses must be told by its fault, not by a broken connection.
      const trust = { rejectUnauthorized: false, ...(ca === undefined ? {} : { ca }) }
      const socket = connect({ host: address, port, servername: host, ...trust })
      socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer in time')))
      socket.once('error', reject)
      socket.once('secureConnect', () => {
        const { valid_to: validTo } = socket.getPeerCertificate()
        const untrusted = socket.authorized ? null : codeOf(socket.authorizationError)
        socket.destroy()
        resolve({ untrusted, validTo: Date.parse(validTo) })
      })
    })

const askAddress =
  (ca: string | undefined): Network['ask'] =>
  async (url, address) => {
    const trust = { servername: url.hostname, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }
    const { status, headers, body } = await sendAsBrowser(
      { method: 'GET', url, headers: { accept: 'application/json' }, connection: { host: address, ...trust } },
      LIMITS,
    )
    return { status, contentType: headers['content-type'] ?? '', body: body.toString('utf8') }
  }

/** `ca` trusts one authority more, for tests; `resolve` may know hosts that nobody else does. */
export const createNetwork = (resolve: Network['resolve'] = resolveBySystem, ca?: string): Network => ({
  resolve,
  certificate: readCertificate(ca),
  ask: askAddress(ca),
})
