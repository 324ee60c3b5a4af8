/** Configuration of mail: the SMTP server, the sender, and the DKIM key. */
import { readFileSync } from 'node:fs'
import { createPrivateKey } from 'node:crypto'
import { resolve } from 'node:path'
import { isLoopback } from '#contract/loopback.ts'
import { given, Problem, type Environment } from './readers.ts'

export interface MailConfig {
  readonly host: string
  readonly port: number
  /** `from the start`: TLS before the first word. `required`: STARTTLS, or the mail waits. `none`: this machine alone. */
  readonly tls: 'from the start' | 'required' | 'none'
  readonly login: { readonly user: string; readonly password: string } | null
  /** The address that mails come from; the name beside it is the shop's. */
  readonly from: string
  readonly dkim: { readonly selector: string; readonly privateKey: string } | null
  /** Whether mails go to the sandbox's mailbox and to nobody else. */
  readonly isSandbox: boolean
}

const EXAMPLE = 'smtps://user:password@smtp.example.com, or smtp://user:password@smtp.example.com:587'

/** The password in it must not be printed: the line is read by whoever watches the start. */
const readServer = (text: string): Pick<MailConfig, 'host' | 'port' | 'tls' | 'login'> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    throw new Problem(`SMTP_URL cannot be read: set it to ${EXAMPLE}.`)
  if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '')
    throw new Problem(`SMTP_URL has a path or options: give scheme, login, host and port only, such as ${EXAMPLE}.`)
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'smtps:'
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if ((user === '') !== (password === ''))
    throw new Problem('SMTP_URL has a user without a password, or a password without a user: give both or neither.')
  return {
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    tls: isSecure ? 'from the start' : isLoopback(url.hostname) ? 'none' : 'required',
    login: user === '' ? null : { user, password },
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Problem('SMTP_URL has a user or a password with a % in it that encodes nothing: write % as %25.')
  }
}

/** Plain ASCII without quotes: an address that every mail server on the way reads alike. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,253}$)[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/

export const isMailAddress = (text: string): boolean => ADDRESS.test(text)

const SELECTOR = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?$/

const readDkim = (env: Environment): MailConfig['dkim'] => {
  const [path, selector] = [given(env, 'DKIM_KEY'), given(env, 'DKIM_SELECTOR')]
  if (path === undefined && selector === undefined) return null
  if (path === undefined || selector === undefined)
    throw new Problem('DKIM_KEY and DKIM_SELECTOR belong together: set both, or neither for mails without DKIM.')
  if (!SELECTOR.test(selector))
    throw new Problem(`DKIM_SELECTOR is "${selector}": set it to the label before ._domainkey, such as mail2026.`)
  try {
    const privateKey = readFileSync(resolve(path), 'utf8')
    if (createPrivateKey(privateKey).asymmetricKeyType !== 'rsa') throw new Error('not RSA')
    return { selector, privateKey }
  } catch {
    throw new Problem(`DKIM_KEY is "${path}": set it to the path of a private RSA key in PEM that this user can read.`)
  }
}

const readFrom = (env: Environment, otherwise: string | null): string => {
  const from = given(env, 'MAIL_FROM') ?? otherwise
  if (from === null)
    throw new Problem('MAIL_FROM is not set: set it to the address that mails come from, such as receipts@example.com.')
  if (!isMailAddress(from))
    throw new Problem(`MAIL_FROM is "${from}": set it to an address alone, such as receipts@example.com.`)
  return from
}

/** Null: no mail is sent. `sandbox`: the pretend world, whose mailbox takes the mails when no SMTP server is named. */
export const readMailConfig = (
  env: Environment,
  base: URL,
  sandbox: { readonly mailboxPort: number | null } | null,
): MailConfig | null => {
  const text = given(env, 'SMTP_URL')
  if (text === undefined) {
    const port = sandbox?.mailboxPort ?? null
    if (port === null) return null
    const server = { host: '127.0.0.1', port, tls: 'none', login: null } as const
    return { ...server, from: readFrom(env, `receipts@${base.hostname}`), dkim: readDkim(env), isSandbox: true }
  }
  return { ...readServer(text), from: readFrom(env, null), dkim: readDkim(env), isSandbox: false }
}
