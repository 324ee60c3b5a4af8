/** Gateway: the acquirer that the configuration names. */
import type { Gateway } from '#payment/ports.ts'
import type { Config } from '../config/config.ts'
import { systemElapsed } from '../parts.ts'
import { gatewayNotConfigured } from './not-configured.ts'
import { withCircuitBreaker } from './circuit-breaker.ts'
import { createSandboxGateway } from './sandbox/gateway.ts'

export const openGateway = ({ sandbox, gatewayTimeoutMs }: Pick<Config, 'sandbox' | 'gatewayTimeoutMs'>): Gateway =>
  sandbox === null
    ? gatewayNotConfigured
    : withCircuitBreaker(createSandboxGateway(`http://127.0.0.1:${sandbox.port}`, gatewayTimeoutMs), systemElapsed)
