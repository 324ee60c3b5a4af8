/** Configuration of 3-D Secure: server, client certificate, message domains. */
import { resolve } from 'node:path'
import { given, origin, Problem, wholeNumber, type Environment } from './readers.ts'
import { isSandboxAt, type SandboxConfig } from './sandbox.ts'
import { isLoopback } from '#contract/loopback.ts'
import { bridgeOrigin } from '../origins.ts'

export interface ThreeDSConfig {
  /** Null when there is none: then no card can be authenticated. */
  readonly server: {
    readonly apiUrl: URL
    readonly merchantId: string
    readonly merchantToken: string | null
    /** Paths of files; plain http, which only a loopback server may speak, needs none. */
    readonly clientCertificate: { readonly path: string; readonly passphrase: string | null } | null
    readonly caPath: string | null
    readonly timeoutMs: number
    /** It authenticates whoever it is asked about: no real card may go by its word. */
    readonly isSandbox: boolean
  } | null
  /** Origins whose messages the card page hears, beside hosts below them. */
  readonly messageDomains: readonly string[]
}

const MESSAGE_DOMAINS_MAX = 2
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/

const messageDomains = (env: Environment, base: URL): readonly string[] => {
  const text = given(env, 'THREE_DS_MESSAGE_DOMAINS')
  if (text === undefined) return [bridgeOrigin(base)]
  const hosts = text.split(',').map((host) => host.trim().toLowerCase())
  if (hosts.length > MESSAGE_DOMAINS_MAX) {
    throw new Problem(`THREE_DS_MESSAGE_DOMAINS names ${hosts.length} hosts: give at most ${MESSAGE_DOMAINS_MAX}.`)
  }
  const origins = hosts.map((host) => {
    if (!HOST.test(host) || !URL.canParse(`${base.protocol}//${host}`)) {
      throw new Problem(
        `THREE_DS_MESSAGE_DOMAINS holds "${host}": list host names such as 3ds.${base.host}, separated by commas.`,
      )
    }
    const named = new URL(`${base.protocol}//${host}`)
    // Every merchant's own page would be heard as if it were the bridge.
    if (`.${base.hostname}`.endsWith(`.${named.hostname}`)) {
      throw new Problem(
        `THREE_DS_MESSAGE_DOMAINS holds "${host}", above which or at which all merchants live: name a host of its own, such as 3ds.${base.host}.`,
      )
    }
    return named.origin
  })
  // The bridge speaks from there: a page that does not hear it waits out every limit.
  if (!origins.includes(bridgeOrigin(base))) {
    throw new Problem(`THREE_DS_MESSAGE_DOMAINS leaves out 3ds.${base.host}, from where the bridge speaks: add it.`)
  }
  return origins
}

const server = (env: Environment, sandbox: Pick<SandboxConfig, 'origin'> | null): ThreeDSConfig['server'] => {
  const timeoutMs = wholeNumber(env, 'THREE_DS_TIMEOUT_MS', { from: 100, to: 15_000, otherwise: 10_000 })
  const address = origin(env, 'THREE_DS_API_URL')
  const merchantToken = given(env, 'THREE_DS_MERCHANT_TOKEN') ?? null
  const certificate = given(env, 'THREE_DS_CLIENT_CERTIFICATE')
  const ca = given(env, 'THREE_DS_CA')
  if (address === null) {
    if (sandbox === null) return null
    const apiUrl = new URL(sandbox.origin)
    return {
      apiUrl,
      merchantId: 'sandbox',
      merchantToken,
      clientCertificate: null,
      caPath: null,
      timeoutMs,
      isSandbox: true,
    }
  }
  const apiUrl = new URL(address)
  if (apiUrl.protocol === 'http:' && !isLoopback(apiUrl.hostname)) {
    throw new Problem(`THREE_DS_API_URL is "${address}": card numbers travel there, so it must begin with https://.`)
  }
  if (apiUrl.protocol === 'https:' && certificate === undefined) {
    throw new Problem(
      'THREE_DS_CLIENT_CERTIFICATE is not set: the 3-D Secure server knows its callers by certificate; set it to the path of a PKCS#12 file (.p12).',
    )
  }
  const merchantId = given(env, 'THREE_DS_MERCHANT_ID')
  if (merchantId === undefined || merchantId.length > 35) {
    throw new Problem(
      'THREE_DS_MERCHANT_ID must be set to the merchant id at the 3-D Secure server, 1 to 35 characters.',
    )
  }
  return {
    apiUrl,
    merchantId,
    merchantToken,
    clientCertificate:
      certificate === undefined
        ? null
        : { path: resolve(certificate), passphrase: given(env, 'THREE_DS_CLIENT_PASSPHRASE') ?? null },
    caPath: ca === undefined ? null : resolve(ca),
    timeoutMs,
    // Also where THREE_DS_API_URL names it.
    isSandbox: isSandboxAt(apiUrl, sandbox),
  }
}

/** `sandbox`: the pretend world, whose 3-D Secure server is spoken to when no other is named. */
export const readThreeDSConfig = (
  env: Environment,
  base: URL,
  sandbox: Pick<SandboxConfig, 'origin'> | null,
): ThreeDSConfig => ({ server: server(env, sandbox), messageDomains: messageDomains(env, base) })
