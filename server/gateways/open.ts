/** Opens the acquirer that the configuration names. */
import type { Instant } from '#contract/jst.ts'
import type { Clock, Gateway } from '#payment/ports.ts'
import type { Config } from '../config/config.ts'
import { askHttpDate } from './acquirer-time.ts'
import { createSandboxGateway } from './sandbox/gateway.ts'

type GatewayConfig = Pick<Config, 'sandbox' | 'gatewayTimeoutMs'>

/** Null: no acquirer is configured, so nobody can pay, and nobody can be asked what was paid. */
export const openGateway = ({ sandbox, gatewayTimeoutMs }: GatewayConfig, clock: Pick<Clock, 'now'>): Gateway | null =>
  sandbox === null ? null : createSandboxGateway(sandbox.origin, gatewayTimeoutMs, { clock })

/** The time at the acquirer. Does not pass the circuit breaker: a probe that it lets through belongs to a payment. */
export const askAcquirerTime = async ({ sandbox }: Pick<GatewayConfig, 'sandbox'>): Promise<Instant | null> =>
  sandbox === null ? null : askHttpDate(`${sandbox.origin}/acquirer/v1/health`)
