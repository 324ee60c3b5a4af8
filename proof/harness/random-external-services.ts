/**
 * Random external services: an acquirer and a 3-D Secure server that answer anything at all, contradictions included. An
 * answer depends on the seed, the order and how often it was callCounts about, never on what else was callCounts meanwhile.
 */
import type { ChargeOutcome, Fencing, Gateway, Inquiry, Readiness, RefundOutcome } from '#payment/ports.ts'
import type { ThreeDSServer, ThreeDSSession } from '#payment/three-ds-port.ts'
import { seededRandom, type SeededRandom } from './seeded-random.ts'
import { fakeGateway } from './fake-gateway.ts'
import { CHALLENGE_URL, decidedOutcome } from './fake-three-ds-servers.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

const hashOf = (key: string): number => {
  let hash = FNV_OFFSET
  for (const letter of key) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), FNV_PRIME) >>> 0
  return hash
}

const sessionOf = (orderCode: string): ThreeDSSession => ({
  requestorTransId: `r-${orderCode}`,
  serverTransId: orderCode,
  authUrl: 'https://3ds-server.example/auth',
  challenge: null,
})

export const randomExternalServices = (
  seed: number,
): { readonly gateway: Gateway; readonly threeDSServer: ThreeDSServer } => {
  const callCounts = new Map<string, number>()
  const randomFor = (call: string, about: string): SeededRandom => {
    const key = `${seed} ${call} ${about}`
    const times = (callCounts.get(key) ?? 0) + 1
    callCounts.set(key, times)
    return seededRandom(hashOf(`${key} ${times}`))
  }
  const charged = (orderCode: string, amountYen: number): ChargeOutcome => ({
    outcome: 'charged',
    transactionId: `t-${orderCode}`,
    approvedAt: seed,
    amountYen,
  })
  const fail = (): never => {
    throw new Error('the adapter has a bug')
  }
  const refundOutcome = (random: SeededRandom, amountYen: number): RefundOutcome =>
    random.oneOf<() => RefundOutcome>([
      () => ({ outcome: 'refunded', amountYen, refundedAt: seed }),
      () => ({ outcome: 'refunded', amountYen, refundedAt: seed }),
      () => ({ outcome: 'refunded', amountYen, refundedAt: seed }),
      () => ({ outcome: 'refunded', amountYen: amountYen + 1, refundedAt: seed }),
      () => ({ outcome: 'refused', reason: 'too late' }),
      () => ({ outcome: 'unknown', why: 'no answer in time' }),
      fail,
    ])()
  const gateway: Gateway = {
    ...fakeGateway(),
    ready: async () =>
      randomFor('ready', '').oneOf<Readiness>([
        'ready',
        'ready',
        'ready',
        'ready',
        'ready',
        'ready',
        'silent',
        'refused',
      ]),
    charge: async ({ orderCode, amountYen }, remember) => {
      const random = randomFor('charge', orderCode)
      if (!(await remember(orderCode))) return { outcome: 'not_charged' }
      return random.oneOf<() => ChargeOutcome>([
        () => charged(orderCode, amountYen),
        () => charged(orderCode, amountYen),
        () => charged(orderCode, amountYen),
        () => charged(orderCode, amountYen),
        () => charged(orderCode, 1),
        () => ({ outcome: 'declined', reason: 'no' }),
        () => ({ outcome: 'not_charged' }),
        () => ({ outcome: 'unknown', why: 'no answer in time' }),
        fail,
      ])()
    },
    inquire: async ({ orderCode }) =>
      randomFor('inquire', orderCode).oneOf<() => Inquiry>([
        () => charged(orderCode, 1980),
        () => ({ outcome: 'declined', reason: 'no' }),
        () => ({ outcome: 'pending' }),
        () => ({ outcome: 'not_found' }),
        () => ({ outcome: 'not_found' }),
        () => ({ outcome: 'unknown', why: 'HTTP 500' }),
        fail,
      ])(),
    fence: async ({ orderCode }) =>
      randomFor('fence', orderCode).oneOf<Fencing>([
        { outcome: 'fenced' },
        { outcome: 'exists' },
        { outcome: 'unknown', why: 'HTTP 500' },
      ]),
    refund: async ({ orderCode, refundId, amountYen }) =>
      refundOutcome(randomFor('refund', `${orderCode} ${refundId}`), amountYen),
    inquireRefund: async ({ orderCode, refundId }) => {
      const random = randomFor('inquireRefund', `${orderCode} ${refundId}`)
      const outcome = refundOutcome(random, 100)
      return outcome.outcome === 'refused' ? { outcome: 'not_found' } : outcome
    },
  }
  const threeDSServer: ThreeDSServer = {
    start: async ({ orderCode }) =>
      randomFor('start', orderCode).oneOf([
        { outcome: 'not_enrolled' },
        { outcome: 'not_enrolled' },
        { outcome: 'not_enrolled' },
        { outcome: 'not_enrolled' },
        { outcome: 'started', session: sessionOf(orderCode), collectUrl: 'https://x.example/c', watchUrl: null },
        { outcome: 'started', session: sessionOf(orderCode), collectUrl: null, watchUrl: 'https://x.example/w' },
        { outcome: 'unavailable', why: 'HTTP 500' },
      ]),
    event: () => ({ hint: 'nothing' }),
    authenticate: async ({ session }) => {
      const challenge = { monitorUrl: null, dsTransId: 'ds', messageVersion: '2.2.0' }
      return randomFor('authenticate', session.serverTransId).oneOf([
        decidedOutcome('Y'),
        decidedOutcome('A'),
        decidedOutcome('N'),
        decidedOutcome('U'),
        { outcome: 'challenge', session: { ...session, challenge }, challengeUrl: CHALLENGE_URL },
        { outcome: 'challenge', session: { ...session, challenge }, challengeUrl: CHALLENGE_URL },
        { outcome: 'unavailable', why: 'HTTP 500' },
      ])
    },
    result: async ({ serverTransId }) =>
      randomFor('result', serverTransId).oneOf([
        decidedOutcome('Y'),
        decidedOutcome('N'),
        decidedOutcome('R'),
        { outcome: 'pending' },
      ]),
    abandon: async () => {},
  }
  return { gateway, threeDSServer }
}
