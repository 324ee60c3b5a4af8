/** Configuration of the sandbox: the one that is started beside this server, or that of another process. */
import { isLoopback } from '#contract/loopback.ts'
import { given, isProduction, number, oneOf, origin, Problem, wholeNumber, type Environment } from './readers.ts'

export interface SandboxConfig {
  /** Where its acquirer and its 3-D Secure server are asked. */
  readonly origin: string
  /** Null: another process has started it, and SANDBOX_URL says where. */
  readonly own: { readonly port: number } | null
  /** Where its mailbox takes mails; null in a release, which has no mailbox, and where it is on another machine. */
  readonly mailboxPort: number | null
  readonly timeScale: number
  /** How a shopper's browser reaches the pretend 3-D Secure server and bank; null: on this machine, by *.localhost. */
  readonly threeDSOrigin: string | null
  readonly bankOrigin: string | null
}

const isWanted = (env: Environment): boolean => {
  if (isProduction(env) && given(env, 'SANDBOX') === undefined) {
    throw new Problem(
      'SANDBOX is not set: in production say SANDBOX=off (merchants take cards by their own acquirer accounts alone) or SANDBOX=on (test checkouts are paid with pretend money too).',
    )
  }
  return oneOf(env, 'SANDBOX', ['on', 'off'], 'on') === 'on'
}

const portAfter = (port: number, hasMailbox: boolean): number | null => (hasMailbox ? port + 1 : null)

type Place = Pick<SandboxConfig, 'origin' | 'own' | 'mailboxPort'>

/** Whoever types a real card number into a test checkout sends it there: in plain text it must not leave this machine. */
const elsewhere = (env: Environment, address: string, hasMailbox: boolean): Place => {
  if (given(env, 'SANDBOX_PORT') !== undefined)
    throw new Problem(
      'SANDBOX_URL and SANDBOX_PORT are both set: SANDBOX_URL names the sandbox of another process, SANDBOX_PORT the port of one that is started here; unset one of them.',
    )
  const { protocol, hostname, port } = new URL(address)
  const isHere = isLoopback(hostname)
  if (protocol === 'http:' && !isHere)
    throw new Problem(
      `SANDBOX_URL is "${address}": card numbers travel there, so on another machine it must begin with https://.`,
    )
  return {
    origin: address,
    own: null,
    mailboxPort: protocol === 'http:' && isHere ? portAfter(Number(port || 80), hasMailbox) : null,
  }
}

const besideUs = (env: Environment, serverPort: number, hasMailbox: boolean): Place => {
  const port = wholeNumber(env, 'SANDBOX_PORT', { from: 1, to: 65534, otherwise: serverPort + 1 })
  if (port === serverPort)
    throw new Problem(`SANDBOX_PORT is ${port}, which PORT is too: set one of them to another port.`)
  const mailboxPort = portAfter(port, hasMailbox)
  if (mailboxPort === serverPort) {
    throw new Problem(
      `SANDBOX_PORT is ${port}, and its mailbox would be at PORT ${serverPort}: set one of them to another port.`,
    )
  }
  return { origin: `http://127.0.0.1:${port}`, own: { port }, mailboxPort }
}

/** Null: there is none. */
export const readSandboxConfig = (env: Environment, serverPort: number, hasMailbox: boolean): SandboxConfig | null => {
  const address = origin(env, 'SANDBOX_URL')
  if (!isWanted(env)) {
    if (address !== null) throw new Problem('SANDBOX_URL is set, but SANDBOX is off: unset one of them.')
    return null
  }
  return {
    ...(address === null ? besideUs(env, serverPort, hasMailbox) : elsewhere(env, address, hasMailbox)),
    timeScale: number(env, 'SANDBOX_TIME_SCALE', { from: 0.1, to: 1, otherwise: 1 }),
    threeDSOrigin: origin(env, 'SANDBOX_THREE_DS_ORIGIN'),
    bankOrigin: origin(env, 'SANDBOX_BANK_ORIGIN'),
  }
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Whether an address is the sandbox's, by any name of this machine: no real card may go by the word of what answers there. */
export const isSandboxAt = (address: URL, sandbox: Pick<SandboxConfig, 'origin'> | null): boolean => {
  if (sandbox === null) return false
  const its = new URL(sandbox.origin)
  const portOf = ({ port, protocol }: URL): string | undefined => port || DEFAULT_PORTS[protocol]
  const isSameHost = address.hostname === its.hostname || (isLoopback(address.hostname) && isLoopback(its.hostname))
  return isSameHost && portOf(address) === portOf(its)
}
