/** No 3-D Secure server configured: no card can be authenticated. */
import type { ThreeDSServer, ThreeDSUnavailable } from '#payment/three-ds-port.ts'

const ABSENT: ThreeDSUnavailable = { outcome: 'unavailable', why: 'no 3-D Secure server is configured' }

/** Where none is configured, no card can be authenticated, and none passes for one outside 3-D Secure either. */
export const threeDSServerNotConfigured: ThreeDSServer = {
  start: async () => ABSENT,
  event: () => ({ hint: 'nothing' }),
  authenticate: async () => ABSENT,
  result: async () => ABSENT,
  abandon: async () => {},
}
