/** Simulated 3-D Secure server behind a faulty connection: its issuers act by the last four digits. */
import type { Clearance } from '#payment/authentication-verdict.ts'
import type { Card } from '#payment/ports.ts'
import type { ThreeDSServer, ThreeDSUnavailable } from '#payment/three-ds-port.ts'
import type { FaultyConnection } from './faulty-connection.ts'
import { decidedOutcome } from '../harness/fake-three-ds-servers.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { VirtualTime } from './virtual-time.ts'

const MAX_CHALLENGE_MS = 6000

/** Issuer behaviour by the last four digits of a card. */
const issuerBehaviours: Readonly<
  Record<string, 'frictionless' | 'challenge passed' | 'challenge failed' | 'refuses' | 'not enrolled'>
> = {
  '4242': 'frictionless',
  '0001': 'frictionless',
  '4444': 'challenge passed',
  '0003': 'challenge failed',
  '0005': 'refuses',
  '5100': 'not enrolled',
}

/** Whether a card may be charged with this kind of clearance. Others are refused by their issuer or declined. */
export const isChargeable = (card: Card, by: Clearance['by']): boolean => {
  const behaviour = issuerBehaviours[card.number.face.lastFour]
  if (by === 'exemption') return behaviour === 'not enrolled'
  return (behaviour === 'frictionless' || behaviour === 'challenge passed') && !isDeclined(card)
}

/** Whether the acquirer declines a card, whatever its issuer decided. */
export const isDeclined = (card: Card): boolean => card.number.face.lastFour === '0001'

/** The value that proves one authentication: names order, amount and card, so that its use for another charge shows. */
export const authenticationValueFor = (orderCode: string, amountYen: number, card: Card): string =>
  `${orderCode} ${amountYen} ${card.number.face.lastFour}`

interface RunningChallenge {
  readonly authenticationValue: string
  readonly readyAt: number
  readonly passes: boolean
}

export const simulatedThreeDS = (
  time: VirtualTime,
  connection: FaultyConnection,
  random: SeededRandom,
): ThreeDSServer => {
  const challenges = new Map<string, RunningChallenge>()

  const callThreeDSServer = async <T>(act: () => T): Promise<T | ThreeDSUnavailable> => {
    const delivery = await connection.deliver(act, true)
    return delivery.arrived ? delivery.answer : { outcome: 'unavailable', why: delivery.why }
  }

  return {
    event: () => ({ hint: 'nothing' }),
    start: ({ orderCode, card }) =>
      callThreeDSServer(() => {
        if (issuerBehaviours[card.number.face.lastFour] === 'not enrolled') return { outcome: 'not_enrolled' }
        const session = {
          requestorTransId: orderCode,
          serverTransId: orderCode,
          authUrl: 'https://x/',
          challenge: null,
        }
        return { outcome: 'started', session, collectUrl: null, watchUrl: null }
      }),
    authenticate: ({ session, card, amountYen }) => {
      const authenticationValue = authenticationValueFor(session.serverTransId, amountYen, card)
      const behaviour = issuerBehaviours[card.number.face.lastFour]
      const durationMs = random.between(0, MAX_CHALLENGE_MS)
      const passes = behaviour === 'challenge passed'
      return callThreeDSServer(() => {
        if (behaviour === 'refuses') return decidedOutcome('N', { authenticationValue })
        if (behaviour === 'frictionless') return decidedOutcome('Y', { authenticationValue })
        // A doubled request starts no second challenge.
        if (!challenges.has(session.serverTransId))
          challenges.set(session.serverTransId, { authenticationValue, readyAt: time.now() + durationMs, passes })
        const challenge = { monitorUrl: null, dsTransId: 'ds', messageVersion: '2.2.0' }
        return { outcome: 'challenge', session: { ...session, challenge }, challengeUrl: 'https://x/' }
      })
    },
    result: ({ serverTransId }) =>
      callThreeDSServer(() => {
        const challenge = challenges.get(serverTransId)
        if (challenge === undefined) return { outcome: 'unavailable', why: 'no such transaction' }
        if (time.now() < challenge.readyAt) return { outcome: 'pending' }
        const { passes: isPassed, authenticationValue } = challenge
        return decidedOutcome(isPassed ? 'Y' : 'N', { authenticationValue })
      }),
    abandon: async () => {},
  }
}
