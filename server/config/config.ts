/** Configuration: all environment variables, read and validated in one place. */
import type { Retention } from '#payment/retention.ts'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readCardHoldConfig, type SharedCardHoldConfig } from './card-hold.ts'
import { readDemoConfig, type DemoConfig } from './demo.ts'
import {
  given,
  isProduction,
  number,
  origin,
  Problem,
  webAddress,
  wholeNumber,
  oneOf,
  type Environment,
} from './readers.ts'
import { readMailConfig, type MailConfig } from './mail.ts'
import { HAS_MAILBOX } from './release.ts'
import { readRetention } from './retention.ts'
import { readThreeDSConfig, type ThreeDSConfig } from './three-ds.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Where the world reaches us: scheme, host and port without a path. Merchants live one label below it. */
  readonly publicBase: URL
  readonly databaseUrl: string | null
  /** How many connections to PostgreSQL this process has at most, beside the one of its server lock. */
  readonly databasePool: number
  readonly dataDir: string
  /** Null: a file in `dataDir`. */
  readonly secretKey: string | null
  /** Keys before `secretKey`, of which secrets of webhooks are still derived. */
  readonly earlierSecretKeys: readonly string[]
  readonly sandbox: SandboxConfig | null
  readonly demo: DemoConfig | null
  readonly gatewayTimeoutMs: number
  /** Null: cards are held in memory, and the database has one server. */
  readonly sharedCardHold: SharedCardHoldConfig | null
  /** Works off what is due and serves nobody: such a process may stand beside a server on the same database. */
  readonly workerOnly: boolean
  /** Where Prometheus reads, on this machine alone; null: nowhere. */
  readonly metricsPort: number | null
  readonly threeDS: ThreeDSConfig
  /** Null: no mail is sent. */
  readonly mail: MailConfig | null
  readonly trustedProxies: readonly string[]
  /** Addresses that no webhook is sent to, beside all that are not public. */
  readonly webhookDenied: readonly string[]
  readonly footer: { readonly aboutUrl: string; readonly privacyUrl: string; readonly badgeText: string | null }
  readonly hsts: Hsts
  readonly logLevel: LogLevel
  readonly retention: Retention
}

interface SandboxConfig {
  readonly port: number
  /** Where its mailbox takes mails; null in a release, which has no mailbox. */
  readonly mailboxPort: number | null
  readonly timeScale: number
  /** How a shopper's browser reaches the pretend 3-D Secure server and bank; null: on this machine, by *.localhost. */
  readonly threeDSOrigin: string | null
  readonly bankOrigin: string | null
}

/** HSTS: a browser keeps to https on each host that it visits, on all below the base, or on all before any visit. */
export const HSTS = ['host', 'subdomains', 'preload'] as const
export type Hsts = (typeof HSTS)[number]

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type ConfigReading =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problem: string }

const publicBase = (env: Environment, port: number): URL => {
  const text = given(env, 'PUBLIC_BASE') ?? `http://localhost:${port}`
  const url = webAddress('PUBLIC_BASE', text)
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new Problem(`PUBLIC_BASE is "${text}": give scheme, host and port only, such as https://pay.example.com.`)
  }
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    throw new Problem(
      `PUBLIC_BASE is "${text}": merchants live one label below it, so it must be a host name, not an IP address.`,
    )
  }
  return url
}

const databaseUrl = (env: Environment): string | null => {
  const text = given(env, 'DATABASE_URL')
  if (text === undefined) return null
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol)) {
    throw new Problem(
      'DATABASE_URL cannot be read: set it to postgresql://user:password@host:5432/database, or leave it unset for the embedded database.',
    )
  }
  return text
}

const SECRET_KEY_MIN_LENGTH = 32

const longEnough = (name: string, key: string): string => {
  if (key.length >= SECRET_KEY_MIN_LENGTH) return key
  throw new Problem(
    `${name} has ${key.length} characters: set it to at least ${SECRET_KEY_MIN_LENGTH} random ones (openssl rand -hex 32), or leave it unset for a file in DATA_DIR.`,
  )
}

/** Several before it, each behind a space: with one alone a second rotation would end secrets that merchants still use. */
const secretKeys = (env: Environment): Pick<Config, 'secretKey' | 'earlierSecretKeys'> => {
  const [current, previous] = [given(env, 'SECRET_KEY'), given(env, 'SECRET_KEY_PREVIOUS')]
  if (current === undefined && previous !== undefined)
    throw new Problem('SECRET_KEY_PREVIOUS is set without SECRET_KEY: it is the key before that one; set both or none.')
  return {
    secretKey: current === undefined ? null : longEnough('SECRET_KEY', current),
    earlierSecretKeys: (previous?.split(/\s+/) ?? []).map((key) => longEnough('SECRET_KEY_PREVIOUS', key)),
  }
}

const sandbox = (env: Environment, port: number, hasMailbox: boolean): Config['sandbox'] => {
  if (isProduction(env) && given(env, 'SANDBOX') === undefined) {
    throw new Problem(
      'SANDBOX is not set: in production say SANDBOX=off (merchants take cards by their own acquirer accounts alone) or SANDBOX=on (test checkouts are paid with pretend money too).',
    )
  }
  if (oneOf(env, 'SANDBOX', ['on', 'off'], 'on') === 'off') return null
  const sandboxPort = wholeNumber(env, 'SANDBOX_PORT', { from: 1, to: 65534, otherwise: port + 1 })
  if (sandboxPort === port) {
    throw new Problem(`SANDBOX_PORT is ${port}, which PORT is too: set one of them to another port.`)
  }
  const mailboxPort = hasMailbox ? sandboxPort + 1 : null
  if (mailboxPort === port) {
    throw new Problem(
      `SANDBOX_PORT is ${sandboxPort}, and its mailbox would be at PORT ${port}: set one of them to another port.`,
    )
  }
  return {
    port: sandboxPort,
    mailboxPort,
    timeScale: number(env, 'SANDBOX_TIME_SCALE', { from: 0.1, to: 1, otherwise: 1 }),
    threeDSOrigin: origin(env, 'SANDBOX_THREE_DS_ORIGIN'),
    bankOrigin: origin(env, 'SANDBOX_BANK_ORIGIN'),
  }
}

const footer = (env: Environment, base: URL): Config['footer'] => {
  const link = (name: string, ownPage: string): string => {
    const text = given(env, name)
    if (text === undefined) return `${new URL(ownPage, base).href}?locale={locale}`
    // A URL writes braces as %7B and %7D; the page looks for the placeholder as it was given.
    return webAddress(name, text).href.replaceAll(/%7Blocale%7D/gi, '{locale}')
  }
  return {
    aboutUrl: link('FOOTER_ABOUT_URL', '/about'),
    privacyUrl: link('FOOTER_PRIVACY_URL', '/privacy'),
    badgeText: given(env, 'FOOTER_BADGE_TEXT') ?? null,
  }
}

const workerOnly = (env: Environment): boolean => {
  if (oneOf(env, 'WORKER_ONLY', ['0', '1'], '0') === '0') return false
  if (given(env, 'DATABASE_URL') === undefined) {
    throw new Problem(
      'WORKER_ONLY is 1, but DATABASE_URL is not set: a worker shares a PostgreSQL database with its server; set both to the same address.',
    )
  }
  return true
}

const metricsPort = (env: Environment, taken: Readonly<Record<string, number | undefined>>): number | null => {
  const port = wholeNumber(env, 'METRICS_PORT', { from: 1, to: 65535, otherwise: null })
  const rival = Object.entries(taken).find(([, other]) => other === port)
  if (rival !== undefined)
    throw new Problem(`METRICS_PORT is ${port}, which ${rival[0]} is too: set one of them to another port.`)
  return port
}

const PREFIX_MAX: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

const isRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/')
  const longest = PREFIX_MAX[isIP(address)]
  if (longest === undefined || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)
}

const addressList = (env: Environment, variable: string): string[] => {
  const names = (given(env, variable) ?? '').split(',').map((name) => name.trim())
  const addresses = names.filter((name) => name !== '')
  const wrong = addresses.find((address) => !isRange(address))
  if (wrong !== undefined)
    throw new Problem(`${variable} holds "${wrong}": list IP addresses or CIDR ranges, separated by commas.`)
  return addresses
}

const read = (env: Environment, hasMailbox: boolean): Config => {
  const port = wholeNumber(env, 'PORT', { from: 1, to: 65533, otherwise: 3000 })
  const base = publicBase(env, port)
  const pretend = sandbox(env, port, hasMailbox)
  const threeDS = readThreeDSConfig(env, base, pretend)
  return {
    port,
    host: given(env, 'HOST') ?? '127.0.0.1',
    publicBase: base,
    databaseUrl: databaseUrl(env),
    // With one connection alone, one call that waits for a row would hold up all others.
    databasePool: wholeNumber(env, 'DATABASE_POOL', { from: 2, to: 200, otherwise: 10 }),
    ...secretKeys(env),
    dataDir: resolve(given(env, 'DATA_DIR') ?? 'data'),
    sandbox: pretend,
    demo: readDemoConfig(env, { publicBase: base, sandbox: pretend, threeDS }),
    gatewayTimeoutMs: wholeNumber(env, 'GATEWAY_TIMEOUT_MS', { from: 100, to: 120_000, otherwise: 20_000 }),
    sharedCardHold: readCardHoldConfig(env),
    workerOnly: workerOnly(env),
    metricsPort: metricsPort(env, {
      PORT: port,
      SANDBOX_PORT: pretend?.port,
      'the mailbox at SANDBOX_PORT + 1': pretend?.mailboxPort ?? undefined,
    }),
    threeDS,
    mail: readMailConfig(env, base, pretend),
    trustedProxies: addressList(env, 'TRUSTED_PROXIES'),
    webhookDenied: addressList(env, 'WEBHOOK_DENY'),
    footer: footer(env, base),
    hsts: oneOf(env, 'HSTS', HSTS, 'host'),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, isProduction(env) ? 'info' : 'warn'),
    retention: readRetention(env),
  }
}

/** The only reader of the product's settings. What tests and tools read beside them is listed in CONTRIBUTING.md. */
export const readConfig = (env: Environment, hasMailbox: boolean = HAS_MAILBOX): ConfigReading => {
  try {
    return { ok: true, config: read(env, hasMailbox) }
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.message }
    throw error
  }
}
