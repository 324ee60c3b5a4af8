/** Closed hosts: every way to name a host to the proxy, none of which may reach the APIs of the sandbox. */
import type { ProxyCall, Send } from './calls.ts'

/** The acquirer's list of orders, and the 3-D Secure server's list of calls. */
const CLOSED_PATHS = ['/acquirer/v1/orders', '/three-ds/v1/requests'] as const
const REFUSALS = [400, 403, 404, 421]
const SANDBOX_LABELS = ['3ds-server', 'bank'] as const

export interface ClosedHosts {
  readonly hostsTried: number
  /** What was not refused, one line each. */
  readonly reached: readonly string[]
}

export interface Knock {
  readonly call: ProxyCall
  readonly allowed: readonly number[]
}

/** Every host that is tried: ours, the sandbox's in all spellings, this machine's own names, strangers. */
export const knocksAt = (base: URL, sandboxPort: number): readonly Knock[] => {
  const { hostname, port } = base
  const sandboxNames = SANDBOX_LABELS.map((label) => `${label}.${hostname}`)
  const ours = [hostname, ...['demo', '3ds', 'nobody', 'acquirer', 'sandbox'].map((label) => `${label}.${hostname}`)]
  const spellings = sandboxNames.flatMap((name) => [
    name,
    name.toUpperCase(),
    `${name}.:${port}`,
    `${name}:${sandboxPort}`,
    `${name}:1`,
    `x.${name}:${port}`,
  ])
  const localNames = ['localhost', '127.0.0.1', '[::1]', '3ds-server.localhost', 'bank.localhost']
  const strangers = [...localNames.flatMap((name) => [name, `${name}:${sandboxPort}`]), `forged.example:${port}`]
  const hosts = [...ours.map((name) => `${name}:${port}`), ...spellings, ...strangers]
  return CLOSED_PATHS.flatMap((path) => [
    ...sandboxNames.map((name) => ({ call: { host: `${name}:${port}`, target: path }, allowed: [404] })),
    ...hosts.map((host) => ({ call: { host, target: path }, allowed: REFUSALS })),
    // A whole address in the first line: the proxy chooses by it, and the Host header says something else.
    ...strangers.flatMap((host) =>
      sandboxNames.map((name) => ({
        call: { host, target: `https://${name}:${port}${path}` },
        allowed: REFUSALS,
      })),
    ),
    // The handshake asks for a name that is not ours.
    { call: { host: `127.0.0.1:${sandboxPort}`, target: path, tlsName: 'localhost' }, allowed: REFUSALS },
  ])
}

const TLS_REFUSAL = /unrecognized name|handshake failure|ECONNRESET|socket hang up/i

/** The status of the answer; 421 where the proxy has already refused the handshake. */
const knock = async (send: Send, call: ProxyCall): Promise<number> => {
  try {
    return (await send(call)).status
  } catch (error) {
    if (call.tlsName !== undefined && TLS_REFUSAL.test(String(error))) return 421
    throw error
  }
}

export const knockAtAllHosts = async (base: URL, sandboxPort: number, send: Send): Promise<ClosedHosts> => {
  const knocks = knocksAt(base, sandboxPort)
  const reached: string[] = []
  for (const { call, allowed } of knocks) {
    const status = await knock(send, call)
    if (!allowed.includes(status)) reached.push(`${call.target} of ${call.host} answered ${status}`)
  }
  return { hostsTried: new Set(knocks.map(({ call }) => call.host)).size, reached }
}
