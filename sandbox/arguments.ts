import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

export type TlsSettings = { port: number; certificateFile: string; keyFile: string; clientCaFile: string }

export type Settings = {
  port: number
  host: string
  dataFolder: string
  timeScale: number
  /** Null where the default host at the port that was taken will do. */
  threeDSOrigin: string | null
  bankOrigin: string | null
  pageBase: string
  /** Null where nobody calls the 3-D Secure API with a certificate. */
  tls: TlsSettings | null
}

type ReadSettings = { kind: 'settings'; settings: Settings } | { kind: 'refused'; line: string }

const required = ['port', 'host', 'data', 'time-scale'] as const
const optional = ['three-ds-origin', 'bank-origin', 'page-base'] as const
const ofTls = ['tls-port', 'tls-certificate', 'tls-key', 'tls-client-ca'] as const
const names = [...required, ...optional, ...ofTls] as const
type Name = (typeof names)[number]

const mends: Record<Name, string> = {
  port: 'give a whole number from 0 to 65535 (0 picks a free port), as in --port 3001',
  host: 'give an IP address or localhost, as in --host 127.0.0.1',
  data: 'give a folder, as in --data data/sandbox',
  'time-scale': 'give a number from 0.1 to 1, as in --time-scale 1',
  'three-ds-origin': 'give scheme, host and port, as in --three-ds-origin http://3ds-server.localhost:3001',
  'bank-origin': 'give scheme, host and port, as in --bank-origin http://bank.localhost:3001',
  'page-base': 'give scheme, host and port below which the checkout pages are, as in --page-base http://localhost:3000',
  'tls-port': 'give a whole number from 0 to 65535 (0 picks a free port), as in --tls-port 3002',
  'tls-certificate': 'give a PEM file, as in --tls-certificate server.pem',
  'tls-key': 'give a PEM file, as in --tls-key server-key.pem',
  'tls-client-ca': 'give the PEM file of the authority that signs client certificates, as in --tls-client-ca ca.pem',
}

const isPort = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) <= 65_535
const isOrigin = (value: string): boolean =>
  /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value
const isPath = (value: string): boolean => value.trim() !== ''

const accepts: Record<Name, (value: string) => boolean> = {
  port: isPort,
  host: (value) => isIP(value) !== 0 || value === 'localhost',
  data: isPath,
  'time-scale': (value) => /^\d(\.\d+)?$/.test(value) && Number(value) >= 0.1 && Number(value) <= 1,
  'three-ds-origin': isOrigin,
  'bank-origin': isOrigin,
  'page-base': isOrigin,
  'tls-port': isPort,
  'tls-certificate': isPath,
  'tls-key': isPath,
  'tls-client-ca': isPath,
}

export const readArguments = (given: readonly string[]): ReadSettings => {
  const { values, positionals } = parseArgs({
    args: [...given],
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    strict: false,
  })
  const unknown = Object.keys(values).find((key) => !names.some((name) => name === key))
  const stray = unknown === undefined ? positionals[0] : `--${unknown}`
  if (stray !== undefined) {
    return refused(`${stray} is not an argument; use ${names.map((name) => `--${name}`).join(', ')}`)
  }
  const read = new Map<Name, string>()
  for (const name of names) {
    const value = values[name]
    if (value === undefined) continue
    if (typeof value !== 'string') return refused(`--${name} has no value; ${mends[name]}`)
    if (!accepts[name](value)) return refused(`--${name} ${JSON.stringify(value)} is not valid; ${mends[name]}`)
    read.set(name, value)
  }
  const wantsTls = ofTls.some((name) => read.has(name))
  const missing = [...required, ...(wantsTls ? ofTls : [])].find((name) => !read.has(name))
  if (missing !== undefined) return refused(`--${missing} is missing; ${mends[missing]}`)
  const threeDSOrigin = read.get('three-ds-origin') ?? null
  if (threeDSOrigin !== null && threeDSOrigin === read.get('bank-origin')) {
    return refused(`--bank-origin ${JSON.stringify(threeDSOrigin)} is the 3-D Secure server’s; ${mends['bank-origin']}`)
  }
  return { kind: 'settings', settings: settingsOf((name) => read.get(name) ?? '', threeDSOrigin, wantsTls) }
}

const settingsOf = (value: (name: Name) => string, threeDSOrigin: string | null, wantsTls: boolean): Settings => ({
  port: Number(value('port')),
  host: value('host'),
  dataFolder: value('data'),
  timeScale: Number(value('time-scale')),
  threeDSOrigin,
  bankOrigin: value('bank-origin') || null,
  pageBase: value('page-base') || 'http://localhost:3000',
  tls: wantsTls
    ? {
        port: Number(value('tls-port')),
        certificateFile: value('tls-certificate'),
        keyFile: value('tls-key'),
        clientCaFile: value('tls-client-ca'),
      }
    : null,
})

const refused = (line: string): ReadSettings => ({ kind: 'refused', line })
