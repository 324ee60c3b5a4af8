/** Acquirer and 3-D Secure server in the server's own process: they answer at once, so that only our own cost is measured. */
import type { Gateway } from '#payment/ports.ts'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'

export const acquirerInProcess: Gateway = {
  ready: async () => 'ready',
  charge: async ({ orderCode, amountYen }, remember) =>
    (await remember(orderCode))
      ? { outcome: 'charged', transactionId: `txn_${orderCode}`, approvedAt: Date.now(), amountYen }
      : { outcome: 'not_charged' },
  inquire: async () => ({ outcome: 'not_found' }),
  fence: async () => ({ outcome: 'fenced' }),
  refund: async ({ amountYen }) => ({ outcome: 'refunded', amountYen, refundedAt: Date.now() }),
  inquireRefund: async () => ({ outcome: 'not_found' }),
  statement: async () => ({ outcome: 'page', lines: [], after: null }),
  disputes: async () => ({ outcome: 'page', disputes: [], after: null }),
}

/** Every card is authenticated without a challenge. */
export const threeDSServerInProcess: ThreeDSServer = {
  start: async ({ orderCode }) => ({
    outcome: 'started',
    session: {
      requestorTransId: `r-${orderCode}`,
      serverTransId: `s-${orderCode}`,
      authUrl: 'https://3ds-server.example/api/v2/auth/brw',
      challenge: null,
    },
    collectUrl: `https://3ds-server.example/collect/${orderCode}`,
    watchUrl: `https://3ds-server.example/watch/${orderCode}`,
  }),
  event: () => ({ hint: 'nothing' }),
  authenticate: async () => ({
    outcome: 'decided',
    verdict: {
      transStatus: 'Y',
      eci: '05',
      authenticationValue: 'AAABBZEEBgAAAAAAAAAAAAAAAAA=',
      dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
      messageVersion: '2.2.0',
      reason: null,
      challengeCancel: null,
    },
  }),
  result: async () => ({ outcome: 'pending' }),
  abandon: async () => undefined,
}
