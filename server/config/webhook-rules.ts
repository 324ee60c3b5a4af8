/** Rules of webhook addresses, as the settings of the server make them. */
import { networkInterfaces } from 'node:os'
import { isLoopback } from '#contract/loopback.ts'
import type { Config } from './config.ts'

const POSTGRES_PORT = 5432
const HTTP_PORT = 80

/** Also of a sandbox that another process has started, where it is on this machine. */
const sandboxPorts = (sandbox: Config['sandbox']): number[] => {
  if (sandbox === null) return []
  const { hostname, port } = new URL(sandbox.origin)
  return isLoopback(hostname) ? [Number(port || HTTP_PORT), sandbox.mailboxPort ?? []].flat() : []
}

/** Our own programs on this machine. */
const ownPorts = ({ port, sandbox, metricsPort, databaseUrl }: Config): number[] => [
  port,
  ...sandboxPorts(sandbox),
  ...(metricsPort === null ? [] : [metricsPort]),
  ...(databaseUrl === null ? [] : [Number(new URL(databaseUrl).port || POSTGRES_PORT)]),
]

/** Without the zone of a local one, such as %eth0. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((known = []) =>
    known.map(({ address }) => address.split('%')[0] ?? address),
  )

export const webhookRules = (config: Config) => ({
  isLoopbackAllowed: isLoopback(config.publicBase.hostname),
  ownPorts: ownPorts(config),
  ownAddresses: ownAddresses(),
  denied: config.webhookDenied,
})
