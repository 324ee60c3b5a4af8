/** Configuration: all environment variables, read and validated in one place. */
import type { Retention } from '#payment/retention.ts'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readConsoleSignIn, type ConsoleSignIn } from './console.ts'
import { readCardHoldConfig, type SharedCardHoldConfig } from './card-hold.ts'
import { readDemoConfig, type DemoConfig } from './demo.ts'
import { given, isProduction, oneOf, Problem, webAddress, wholeNumber, type Environment } from './readers.ts'
import { readMailConfig, type MailConfig } from './mail.ts'
import { HAS_MAILBOX } from './release.ts'
import { readDrainMs, readMetricsConfig, readWorker, type MetricsConfig, type Worker } from './process.ts'
import { readRetention } from './retention.ts'
import { readSandboxConfig, type SandboxConfig } from './sandbox.ts'
import { readThreeDSConfig, type ThreeDSConfig } from './three-ds.ts'

export interface Config extends MetricsConfig {
  readonly port: number
  readonly host: string
  /** Where the world reaches us: scheme, host and port without a path. Merchants live one label below it. */
  readonly publicBase: URL
  readonly databaseUrl: string | null
  /** How many connections to PostgreSQL this process has at most, beside the one of its server lock. */
  readonly databasePool: number
  readonly dataDir: string
  /** Whether a server that starts brings the tables up to date. */
  readonly migrates: boolean
  /** Null: a file in `dataDir`. */
  readonly secretKey: string | null
  /** Keys before `secretKey`, of which secrets of webhooks are still derived. */
  readonly earlierSecretKeys: readonly string[]
  readonly sandbox: SandboxConfig | null
  readonly demo: DemoConfig | null
  readonly gatewayTimeoutMs: number
  /** Null: cards are held in memory, and the database has one server. */
  readonly sharedCardHold: SharedCardHoldConfig | null
  readonly worker: Worker
  /** How long a server that is told to stop goes on serving, until nobody leads callers to it any more. */
  readonly drainMs: number
  readonly threeDS: ThreeDSConfig
  /** Null: no mail is sent. */
  readonly mail: MailConfig | null
  readonly trustedProxies: readonly string[]
  /** Addresses that no webhook is sent to, beside all that are not public. */
  readonly webhookDenied: readonly string[]
  readonly footer: { readonly aboutUrl: string; readonly privacyUrl: string; readonly badgeText: string | null }
  readonly consoleSignIn: ConsoleSignIn
  readonly hsts: Hsts
  readonly logLevel: LogLevel
  readonly retention: Retention
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

/** 32 random hexadecimal digits have fewer once in 25 million times. */
const SECRET_KEY_MIN_SIGNS = 8

/** Of an example, or made by hand: whoever knows it opens every sealed credential of the database. */
const isGuessable = (key: string): boolean =>
  new Set(key).size < SECRET_KEY_MIN_SIGNS || /change.?me|openssl/i.test(key)

const longEnough = (name: string, key: string): string => {
  if (key.length >= SECRET_KEY_MIN_LENGTH) return key
  throw new Problem(
    `${name} has ${key.length} characters: set it to at least ${SECRET_KEY_MIN_LENGTH} random ones (openssl rand -hex 32), or leave it unset for a file in DATA_DIR.`,
  )
}

const hardToGuess = (name: string, key: string): string => {
  if (!isGuessable(longEnough(name, key))) return key
  throw new Problem(
    `${name} is a placeholder, or repeats a few characters: set it to what openssl rand -hex 32 prints. If a server has used it, set SECRET_KEY_PREVIOUS to it.`,
  )
}

/** Several before it, each behind a space: with one alone a second rotation would end secrets that merchants still use. */
const secretKeys = (env: Environment): Pick<Config, 'secretKey' | 'earlierSecretKeys'> => {
  const [current, previous] = [given(env, 'SECRET_KEY'), given(env, 'SECRET_KEY_PREVIOUS')]
  if (current === undefined && previous !== undefined)
    throw new Problem('SECRET_KEY_PREVIOUS is set without SECRET_KEY: it is the key before that one; set both or none.')
  return {
    secretKey: current === undefined ? null : hardToGuess('SECRET_KEY', current),
    // An earlier key is whatever it was: without it nobody could leave a bad one.
    earlierSecretKeys: (previous?.split(/\s+/) ?? []).map((key) => longEnough('SECRET_KEY_PREVIOUS', key)),
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
  const pretend = readSandboxConfig(env, port, hasMailbox)
  const threeDS = readThreeDSConfig(env, base, pretend)
  return {
    port,
    host: given(env, 'HOST') ?? '127.0.0.1',
    publicBase: base,
    databaseUrl: databaseUrl(env),
    // With one connection alone, one call that waits for a row would hold up all others.
    databasePool: wholeNumber(env, 'DATABASE_POOL', { from: 2, to: 200, otherwise: 10 }),
    ...secretKeys(env),
    migrates: oneOf(env, 'MIGRATE', ['on', 'off'], 'on') === 'on',
    dataDir: resolve(given(env, 'DATA_DIR') ?? 'data'),
    sandbox: pretend,
    demo: readDemoConfig(env, { publicBase: base, sandbox: pretend, threeDS }),
    gatewayTimeoutMs: wholeNumber(env, 'GATEWAY_TIMEOUT_MS', { from: 100, to: 120_000, otherwise: 20_000 }),
    sharedCardHold: readCardHoldConfig(env),
    worker: readWorker(env),
    drainMs: readDrainMs(env),
    ...readMetricsConfig(env, {
      PORT: port,
      SANDBOX_PORT: pretend?.own?.port,
      'the mailbox at SANDBOX_PORT + 1': pretend?.mailboxPort ?? undefined,
    }),
    threeDS,
    mail: readMailConfig(env, base, pretend),
    trustedProxies: addressList(env, 'TRUSTED_PROXIES'),
    webhookDenied: addressList(env, 'WEBHOOK_DENY'),
    footer: footer(env, base),
    consoleSignIn: readConsoleSignIn(env),
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
