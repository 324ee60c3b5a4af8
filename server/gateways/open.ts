/** Gateway: the acquirer that the configuration names. */
import type { Gateway } from '#payment/ports.ts'
import type { Config } from '../config/config.ts'
import { systemElapsed } from '../parts.ts'
import { gatewayNotConfigured } from './not-configured.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import { createSandboxGateway } from './sandbox/gateway.ts'

type GatewayConfig = Pick<Config, 'sandbox' | 'gatewayTimeoutMs'>

/** False: nobody can pay, and there is nobody to ask what was paid. An acquirer that `openGateway` opens is named here too. */
export const hasGateway = ({ sandbox }: Pick<GatewayConfig, 'sandbox'>): boolean => sandbox !== null

export const openGateway = ({ sandbox, gatewayTimeoutMs }: GatewayConfig): Gateway =>
  sandbox === null
    ? gatewayNotConfigured
    : withCircuitBreaker(createSandboxGateway(`http://127.0.0.1:${sandbox.port}`, gatewayTimeoutMs), systemElapsed)
