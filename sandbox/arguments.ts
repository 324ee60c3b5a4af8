/** Command-line arguments of the sandbox: read and checked once, before anything is opened. */
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

export interface TlsSettings {
  readonly port: number
  readonly certificateFile: string
  readonly keyFile: string
  readonly clientCaFile: string
}

export interface Settings {
  readonly port: number
  readonly host: string
  readonly dataFolder: string
  readonly timeScale: number
  /** Null where the default host at the port that was taken will do. */
  readonly threeDSOrigin: string | null
  readonly bankOrigin: string | null
  readonly pageBase: string
  /** Whether the calls of the 3-D Secure API are kept for tests to read. */
  readonly keepsRequestLog: boolean
  /** Null where nobody sends mail. */
  readonly mailboxPort: number | null
  /** How many of the newest mails the mailbox keeps; null where the default will do. */
  readonly mailsKept: number | null
  /** Null where nobody calls the 3-D Secure API with a certificate. */
  readonly tls: TlsSettings | null
}

type ArgumentsResult =
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'refused'; readonly problem: string }

const REQUIRED_NAMES = ['port', 'host', 'data', 'time-scale'] as const
const OPTIONAL_NAMES = [
  'three-ds-origin',
  'bank-origin',
  'page-base',
  'request-log',
  'mailbox-port',
  'mails-kept',
] as const
const TLS_NAMES = ['tls-port', 'tls-certificate', 'tls-key', 'tls-client-ca'] as const
const NAMES = [...REQUIRED_NAMES, ...OPTIONAL_NAMES, ...TLS_NAMES] as const
type ArgumentName = (typeof NAMES)[number]

const isPort = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) <= 65_535
const isOrigin = (value: string): boolean =>
  /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value
const isPath = (value: string): boolean => value.trim() !== ''

/** What its value must be, and how a wrong one is mended. */
const rules: Record<ArgumentName, readonly [isValid: (value: string) => boolean, remedy: string]> = {
  port: [isPort, 'give a whole number from 0 to 65535 (0 picks a free port), as in --port 3001'],
  host: [
    (value) => isIP(value) !== 0 || value === 'localhost',
    'give an IP address or localhost, as in --host 127.0.0.1',
  ],
  data: [isPath, 'give a folder, as in --data data/sandbox'],
  'time-scale': [
    (value) => /^\d(\.\d+)?$/.test(value) && Number(value) >= 0.1 && Number(value) <= 1,
    'give a number from 0.1 to 1, as in --time-scale 1',
  ],
  'three-ds-origin': [isOrigin, 'give scheme, host and port, as in --three-ds-origin http://3ds-server.localhost:3001'],
  'bank-origin': [isOrigin, 'give scheme, host and port, as in --bank-origin http://bank.localhost:3001'],
  'page-base': [
    isOrigin,
    'give scheme, host and port below which the checkout pages are, as in --page-base http://localhost:3000',
  ],
  'request-log': [
    (value) => value === 'on' || value === 'off',
    'give on or off, as in --request-log on; without it the log is off',
  ],
  'mailbox-port': [isPort, 'give a whole number from 0 to 65535 (0 picks a free port), as in --mailbox-port 3002'],
  'mails-kept': [
    (value) => /^[1-9]\d{0,4}$/.test(value),
    'give a whole number from 1 to 99999, as in --mails-kept 200, which is what it is without it',
  ],
  'tls-port': [isPort, 'give a whole number from 0 to 65535 (0 picks a free port), as in --tls-port 3002'],
  'tls-certificate': [isPath, 'give a PEM file, as in --tls-certificate server.pem'],
  'tls-key': [isPath, 'give a PEM file, as in --tls-key server-key.pem'],
  'tls-client-ca': [
    isPath,
    'give the PEM file of the authority that signs client certificates, as in --tls-client-ca ca.pem',
  ],
}

const remedyOf = (name: ArgumentName): string => rules[name][1]

const refused = (problem: string): ArgumentsResult => ({ kind: 'refused', problem })

const settingsOf = (given: ReadonlyMap<ArgumentName, string>, hasTls: boolean): Settings => {
  const required = (name: ArgumentName): string => given.get(name) ?? ''
  return {
    port: Number(required('port')),
    host: required('host'),
    dataFolder: required('data'),
    timeScale: Number(required('time-scale')),
    threeDSOrigin: given.get('three-ds-origin') ?? null,
    bankOrigin: given.get('bank-origin') ?? null,
    pageBase: given.get('page-base') ?? 'http://localhost:3000',
    keepsRequestLog: given.get('request-log') === 'on',
    mailsKept: given.has('mails-kept') ? Number(required('mails-kept')) : null,
    mailboxPort: given.has('mailbox-port') ? Number(required('mailbox-port')) : null,
    tls: hasTls
      ? {
          port: Number(required('tls-port')),
          certificateFile: required('tls-certificate'),
          keyFile: required('tls-key'),
          clientCaFile: required('tls-client-ca'),
        }
      : null,
  }
}

export const readArguments = (argv: readonly string[]): ArgumentsResult => {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }])),
    strict: false,
  })
  const unknownName = Object.keys(values).find((key) => !NAMES.some((name) => name === key))
  const unknown = unknownName === undefined ? positionals[0] : `--${unknownName}`
  if (unknown !== undefined) {
    return refused(`${unknown} is not an argument; use ${NAMES.map((name) => `--${name}`).join(', ')}`)
  }
  const given = new Map<ArgumentName, string>()
  for (const name of NAMES) {
    const value = values[name]
    if (value === undefined) continue
    if (typeof value !== 'string') return refused(`--${name} has no value; ${remedyOf(name)}`)
    if (!rules[name][0](value)) return refused(`--${name} ${JSON.stringify(value)} is not valid; ${remedyOf(name)}`)
    given.set(name, value)
  }
  const hasTls = TLS_NAMES.some((name) => given.has(name))
  const missing = [...REQUIRED_NAMES, ...(hasTls ? TLS_NAMES : [])].find((name) => !given.has(name))
  if (missing !== undefined) return refused(`--${missing} is missing; ${remedyOf(missing)}`)
  const bankOrigin = given.get('bank-origin')
  if (bankOrigin !== undefined && bankOrigin === given.get('three-ds-origin')) {
    return refused(`--bank-origin ${JSON.stringify(bankOrigin)} is the 3-D Secure server’s; ${remedyOf('bank-origin')}`)
  }
  return { kind: 'settings', settings: settingsOf(given, hasTls) }
}
