import type { Clearance, Verdict } from '#payment/verdict.ts'
import type { Card, ThreeDSServer, ThreeDSUnavailable } from '#payment/ports.ts'
import type { Line } from './line.ts'
import type { Dice } from '../harness/seeded.ts'
import type { VirtualTime } from './virtual-time.ts'

const LONGEST_CHALLENGE_MS = 6000

/** What the issuer of a card does, by its last four digits. */
const manners: Readonly<
  Record<string, 'frictionless' | 'challenge passed' | 'challenge failed' | 'refuses' | 'outside'>
> = {
  '4242': 'frictionless',
  '0001': 'frictionless',
  '4444': 'challenge passed',
  '0003': 'challenge failed',
  '0005': 'refuses',
  '5100': 'outside',
}

/** Whether a card may be charged at all, and on what ground: the others are refused by their issuer or declined. */
export const isChargeable = (card: Card, by: Clearance['by']): boolean => {
  const manner = manners[card.number.face.lastFour]
  if (by === 'exemption') return manner === 'outside'
  return (manner === 'frictionless' || manner === 'challenge passed') && !isDeclined(card)
}

/** What the acquirer makes of a card, whatever its issuer said. */
export const isDeclined = (card: Card): boolean => card.number.face.lastFour === '0001'

/** The proof of one authentication: it names what it was given for, so that a charge under any other shows. */
export const proofOf = (orderCode: string, amountYen: number, card: Card): string =>
  `${orderCode} ${amountYen} ${card.number.face.lastFour}`

const verdict = (transStatus: Verdict['transStatus'], proof: string): Verdict => ({
  transStatus,
  eci: '05',
  authenticationValue: proof,
  dsTransId: 'ds',
  messageVersion: '2.2.0',
  reason: null,
  challengeCancel: null,
})

interface Question {
  readonly proof: string
  readonly readyAt: number
  readonly passes: boolean
}

export const simulatedThreeDS = (time: VirtualTime, line: Line, dice: Dice): ThreeDSServer => {
  const questions = new Map<string, Question>()

  const carry = async <T>(act: () => T): Promise<T | ThreeDSUnavailable> => {
    const delivery = await line.carry(act, true)
    return delivery.arrived ? delivery.answer : { outcome: 'unavailable', why: delivery.why }
  }

  return {
    event: () => ({ hint: 'nothing' }),
    start: ({ orderCode, card }) =>
      carry(() => {
        if (manners[card.number.face.lastFour] === 'outside') return { outcome: 'not_enrolled' }
        const session = {
          requestorTransId: orderCode,
          serverTransId: orderCode,
          authUrl: 'https://x/',
          challenge: null,
        }
        return { outcome: 'started', session, collectUrl: null, watchUrl: null }
      }),
    authenticate: ({ session, card, amountYen }) => {
      const proof = proofOf(session.serverTransId, amountYen, card)
      const manner = manners[card.number.face.lastFour]
      const takesMs = dice.between(0, LONGEST_CHALLENGE_MS)
      const passes = manner === 'challenge passed'
      return carry(() => {
        if (manner === 'refuses') return { outcome: 'decided', verdict: verdict('N', proof) }
        if (manner === 'frictionless') return { outcome: 'decided', verdict: verdict('Y', proof) }
        // A doubled request does not ask the card holder anew.
        if (!questions.has(session.serverTransId))
          questions.set(session.serverTransId, { proof, readyAt: time.now() + takesMs, passes })
        const challenge = { monitorUrl: null, dsTransId: 'ds', messageVersion: '2.2.0' }
        return { outcome: 'challenge', session: { ...session, challenge }, challengeUrl: 'https://x/' }
      })
    },
    result: ({ serverTransId }) =>
      carry(() => {
        const question = questions.get(serverTransId)
        if (question === undefined) return { outcome: 'unavailable', why: 'no such transaction' }
        if (time.now() < question.readyAt) return { outcome: 'pending' }
        return { outcome: 'decided', verdict: verdict(question.passes ? 'Y' : 'N', question.proof) }
      }),
    abandon: async () => {},
  }
}
