/** Operator's gateways: the accounts at acquirers that the server has, for the time of one command. */
import { createSealing } from '../config/sealed.ts'
import { readSecretKeys } from '../config/secret-key.ts'
import { systemElapsed, type Gateways } from '../dependencies.ts'
import { createGateways } from '../gateways/accounts.ts'
import { createAcquirerAdapters } from '../gateways/adapters.ts'
import { openGateway } from '../gateways/open.ts'
import { errorsAsUnknown } from '../gateways/wrap-gateway.ts'
import type { Log } from '../log.ts'
import type { CommandProblem } from './command.ts'
import type { OperatorDependencies } from './operator-database.ts'

/** Without a circuit breaker: whoever runs a command waits for its answers. */
export const openOperatorGateways = async (
  { database, config, clock }: OperatorDependencies,
  log: Log,
): Promise<{ readonly gateways: Gateways } | CommandProblem> => {
  const reading = await readSecretKeys(config)
  if ('problem' in reading) return reading
  const { gatewayTimeoutMs, publicBase } = config
  const sandbox = openGateway(config, clock)
  const { gateways } = createGateways({
    sql: database,
    elapsed: systemElapsed,
    log,
    sealing: createSealing(reading.keys),
    adapters: createAcquirerAdapters({ gatewayTimeoutMs, publicBase, clock, sql: database }),
    sandbox: sandbox === null ? null : errorsAsUnknown(sandbox, log),
    wrap: (gateway) => errorsAsUnknown(gateway, log),
    config,
  })
  return { gateways }
}
