/** Gateway: the acquirer that the configuration names, and one account at it. */
import type { Instant } from '#contract/jst.ts'
import type { Clock, Gateway } from '#payment/ports.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import { askHttpDate } from './acquirer-time.ts'
import { withCircuitBreaker, type CircuitBreakerDependencies } from './circuit-breaker.ts'
import { errorsAsUnknown } from './errors-as-unknown.ts'
import { gatewayNotConfigured } from './not-configured.ts'
import { createSandboxGateway } from './sandbox/gateway.ts'

type GatewayConfig = Pick<Config, 'sandbox' | 'gatewayTimeoutMs'>

/** False: nobody can pay, and there is nobody to ask what was paid. An acquirer that `openGateway` opens is named here too. */
export const hasGateway = ({ sandbox }: Pick<GatewayConfig, 'sandbox'>): boolean => sandbox !== null

const originOf = ({ port }: NonNullable<GatewayConfig['sandbox']>): string => `http://127.0.0.1:${port}`

export const openGateway = ({ sandbox, gatewayTimeoutMs }: GatewayConfig, clock: Pick<Clock, 'now'>): Gateway =>
  sandbox === null ? gatewayNotConfigured : createSandboxGateway(originOf(sandbox), gatewayTimeoutMs, { clock })

/**
 * One account at an acquirer, for taking payments: with a circuit breaker of its own around the adapter, outside of what
 * turns its exceptions into outcomes, so that it counts those too. Whoever opens an account for each merchant calls it once
 * for each.
 */
export const openAccount = (adapter: Gateway, log: Log, deps: CircuitBreakerDependencies): Gateway =>
  withCircuitBreaker(errorsAsUnknown(adapter, log), deps)

/** What time it is at the acquirer. Past the circuit breaker: a probe that it lets through belongs to a payment. */
export const askAcquirerTime = async ({ sandbox }: Pick<GatewayConfig, 'sandbox'>): Promise<Instant | null> =>
  sandbox === null ? null : askHttpDate(`${originOf(sandbox)}/acquirer/v1/health`)
