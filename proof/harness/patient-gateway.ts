import type { Gateway } from '#payment/ports.ts'
import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'

/** The sandbox as acquirer, with time enough on a busy machine, and no half second in which it must say that it is up. */
export const patientGateway = (origin: string): Gateway => ({
  ...createSandboxGateway(origin, 10_000),
  ready: async () => 'ready',
})
