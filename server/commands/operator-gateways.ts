/** Operator's gateways: the accounts at acquirers, as the running server opens them. */
import { readSecretKeys } from '../config/secret-key.ts'
import { createSealing } from '../config/sealed.ts'
import { systemElapsed, type Gateways } from '../dependencies.ts'
import { createGateways } from '../gateways/accounts.ts'
import { createAcquirerAdapters } from '../gateways/adapters.ts'
import { openGateway } from '../gateways/open.ts'
import { errorsAsUnknown } from '../gateways/wrap-gateway.ts'
import type { Log } from '../log.ts'
import type { OperatorDependencies } from './operator-database.ts'

/** An account that the secret keys at hand do not open answers nothing: whatever is compared with it is incomplete. */
export const operatorGateways = async (
  { config, database, clock }: OperatorDependencies,
  log: Log,
): Promise<Gateways> => {
  const reading = await readSecretKeys(config)
  const sandbox = openGateway(config, clock)
  const { gateways } = createGateways({
    sql: database,
    elapsed: systemElapsed,
    log,
    sealing: createSealing('keys' in reading ? reading.keys : []),
    adapters: createAcquirerAdapters({ gatewayTimeoutMs: config.gatewayTimeoutMs, clock }),
    sandbox: sandbox === null ? null : errorsAsUnknown(sandbox, log),
    wrap: (gateway) => errorsAsUnknown(gateway, log),
    config,
  })
  return gateways
}
