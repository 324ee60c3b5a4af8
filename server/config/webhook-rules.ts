/** Rules of webhook addresses, as the settings of the server make them. */
import { isLoopback } from '#contract/loopback.ts'
import type { Config } from './config.ts'

const POSTGRES_PORT = 5432

/** Our own programs on this machine. */
const ownPorts = ({ port, sandbox, metricsPort, databaseUrl }: Config): number[] => [
  port,
  ...(sandbox === null ? [] : [sandbox.port, sandbox.mailboxPort]),
  ...(metricsPort === null ? [] : [metricsPort]),
  ...(databaseUrl === null ? [] : [Number(new URL(databaseUrl).port || POSTGRES_PORT)]),
]

export const webhookRules = (config: Config) => ({
  isLoopbackAllowed: isLoopback(config.publicBase.hostname),
  ownPorts: ownPorts(config),
  denied: config.webhookDenied,
})
