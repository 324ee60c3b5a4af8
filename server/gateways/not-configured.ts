/** No acquirer configured: pages can be looked at, nothing can be paid, nothing in doubt is decided. */
import type { Gateway, Unknown } from '#payment/ports.ts'

const absent: Unknown = { outcome: 'unknown', why: 'no acquirer is configured' }

export const gatewayNotConfigured: Gateway = {
  ready: async () => 'refused',
  charge: async () => absent,
  inquire: async () => absent,
  fence: async () => absent,
  refund: async () => absent,
  inquireRefund: async () => absent,
  statement: async () => absent,
  disputes: async () => absent,
}
