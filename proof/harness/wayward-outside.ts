import type {
  ChargeOutcome,
  Fencing,
  Gateway,
  Inquiry,
  Readiness,
  RefundOutcome,
  ThreeDSServer,
  ThreeDSSession,
} from '#payment/ports.ts'
import { seededDice, type Dice } from './seeded.ts'
import { countingGateway } from './counting-gateway.ts'
import { CHALLENGE_URL, decided } from './three-ds-stand-ins.ts'

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

const hashOf = (words: string): number => {
  let hash = FNV_OFFSET
  for (const letter of words) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), FNV_PRIME) >>> 0
  return hash
}

const sessionOf = (orderCode: string): ThreeDSSession => ({
  requestorTransId: `r-${orderCode}`,
  serverTransId: orderCode,
  authUrl: 'https://3ds-server.example/auth',
  challenge: null,
})

/**
 * An acquirer and a 3-D Secure server that say anything at all, contradictions included. What they say depends on the
 * seed, the order and how often it was asked about, never on what else was asked meanwhile.
 */
export const waywardOutside = (seed: number): { readonly gateway: Gateway; readonly threeDSServer: ThreeDSServer } => {
  const asked = new Map<string, number>()
  const diceFor = (call: string, about: string): Dice => {
    const key = `${seed} ${call} ${about}`
    const times = (asked.get(key) ?? 0) + 1
    asked.set(key, times)
    return seededDice(hashOf(`${key} ${times}`))
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
  const refundOutcome = (dice: Dice, amountYen: number): RefundOutcome =>
    dice.oneOf<() => RefundOutcome>([
      () => ({ outcome: 'refunded', amountYen, refundedAt: seed }),
      () => ({ outcome: 'refunded', amountYen, refundedAt: seed }),
      () => ({ outcome: 'refunded', amountYen, refundedAt: seed }),
      () => ({ outcome: 'refunded', amountYen: amountYen + 1, refundedAt: seed }),
      () => ({ outcome: 'refused', reason: 'too late' }),
      () => ({ outcome: 'unknown', why: 'no answer in time' }),
      fail,
    ])()
  const gateway: Gateway = {
    ...countingGateway(),
    ready: async () =>
      diceFor('ready', '').oneOf<Readiness>([
        'ready',
        'ready',
        'ready',
        'ready',
        'ready',
        'ready',
        'silent',
        'refused',
      ]),
    charge: async ({ orderCode, amountYen }) =>
      diceFor('charge', orderCode).oneOf<() => ChargeOutcome>([
        () => charged(orderCode, amountYen),
        () => charged(orderCode, amountYen),
        () => charged(orderCode, amountYen),
        () => charged(orderCode, amountYen),
        () => charged(orderCode, 1),
        () => ({ outcome: 'declined', reason: 'no' }),
        () => ({ outcome: 'void' }),
        () => ({ outcome: 'unknown', why: 'no answer in time' }),
        fail,
      ])(),
    inquire: async (orderCode) =>
      diceFor('inquire', orderCode).oneOf<() => Inquiry>([
        () => charged(orderCode, 1980),
        () => ({ outcome: 'declined', reason: 'no' }),
        () => ({ outcome: 'pending' }),
        () => ({ outcome: 'not_found' }),
        () => ({ outcome: 'not_found' }),
        () => ({ outcome: 'unknown', why: 'HTTP 500' }),
        fail,
      ])(),
    fence: async (orderCode) =>
      diceFor('fence', orderCode).oneOf<Fencing>([
        { outcome: 'fenced' },
        { outcome: 'exists' },
        { outcome: 'unknown', why: 'HTTP 500' },
      ]),
    refund: async ({ orderCode, refundId, amountYen }) =>
      refundOutcome(diceFor('refund', `${orderCode} ${refundId}`), amountYen),
    inquireRefund: async ({ orderCode, refundId }) => {
      const dice = diceFor('inquireRefund', `${orderCode} ${refundId}`)
      const said = refundOutcome(dice, 100)
      return said.outcome === 'refused' ? { outcome: 'not_found' } : said
    },
  }
  const threeDSServer: ThreeDSServer = {
    start: async ({ orderCode }) =>
      diceFor('start', orderCode).oneOf([
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
      return diceFor('authenticate', session.serverTransId).oneOf([
        decided('Y'),
        decided('A'),
        decided('N'),
        decided('U'),
        { outcome: 'challenge', session: { ...session, challenge }, challengeUrl: CHALLENGE_URL },
        { outcome: 'challenge', session: { ...session, challenge }, challengeUrl: CHALLENGE_URL },
        { outcome: 'unavailable', why: 'HTTP 500' },
      ])
    },
    result: async ({ serverTransId }) =>
      diceFor('result', serverTransId).oneOf([decided('Y'), decided('N'), decided('R'), { outcome: 'pending' }]),
    abandon: async () => {},
  }
  return { gateway, threeDSServer }
}
