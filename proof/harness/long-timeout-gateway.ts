/** Sandbox gateway with a long timeout and no readiness check, whose half second is too short on a busy machine. */
import type { Gateway } from '#payment/ports.ts'
import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'

export const longTimeoutGateway = (origin: string): Gateway => ({
  ...createSandboxGateway(origin, 10_000),
  ready: async () => 'ready',
})
