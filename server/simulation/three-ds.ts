import type { Verdict } from '#payment/authentication.ts'
import type { Card, ThreeDSServer, ThreeDSUnavailable } from '#payment/ports.ts'
import type { Dice } from './seeded.ts'
import type { VirtualTime } from './virtual-time.ts'

const SECOND = 1000
const NO_ANSWER: ThreeDSUnavailable = { outcome: 'unavailable', why: 'no answer in time' }

/** What the issuer of a card does, by its last four digits. */
const manners: Readonly<Record<string, 'frictionless' | 'challenge' | 'refuses' | 'outside'>> = {
  '4242': 'frictionless',
  '0001': 'frictionless',
  '4444': 'challenge',
  '0005': 'refuses',
  '5100': 'outside',
}

/** The proof of one authentication: it names what it was given for, so that a charge under any other shows. */
export const proofOf = (orderCode: string, amountYen: number, card: Card): string =>
  `${orderCode} ${amountYen} ${card.number.face.lastFour}`

export interface SimulatedThreeDS extends ThreeDSServer {
  behave(): void
}

export const simulatedThreeDS = (time: VirtualTime, dice: Dice, trouble: number): SimulatedThreeDS => {
  let isBehaving = false
  const questions = new Map<string, { readonly proof: string; readonly readyAt: number; readonly passes: boolean }>()

  const answered = async (): Promise<boolean> => {
    await time.sleep(dice.between(0, SECOND))
    return isBehaving || !dice.chance(trouble)
  }
  const verdict = (transStatus: Verdict['transStatus'], proof: string): Verdict => ({
    transStatus,
    eci: '05',
    authenticationValue: proof,
    dsTransId: 'ds',
    messageVersion: '2.2.0',
    reason: null,
    challengeCancel: null,
  })

  return {
    behave: () => {
      isBehaving = true
    },
    event: () => ({ hint: 'nothing' }),
    start: async ({ orderCode, card }) => {
      if (!(await answered())) return NO_ANSWER
      if (manners[card.number.face.lastFour] === 'outside') return { outcome: 'not_enrolled' }
      const session = { requestorTransId: orderCode, serverTransId: orderCode, authUrl: 'https://x/', challenge: null }
      return { outcome: 'started', session, collectUrl: null, watchUrl: null }
    },
    authenticate: async ({ session, card, amountYen }) => {
      const proof = proofOf(session.serverTransId, amountYen, card)
      const manner = manners[card.number.face.lastFour]
      if (!(await answered())) return NO_ANSWER
      if (manner === 'refuses') return { outcome: 'decided', verdict: verdict('N', proof) }
      if (manner !== 'challenge') return { outcome: 'decided', verdict: verdict('Y', proof) }
      const readyAt = time.now() + dice.between(0, 20 * SECOND)
      questions.set(session.serverTransId, { proof, readyAt, passes: dice.chance(0.8) })
      const challenge = { monitorUrl: null, dsTransId: 'ds', messageVersion: '2.2.0' }
      return { outcome: 'challenge', session: { ...session, challenge }, challengeUrl: 'https://x/' }
    },
    result: async ({ serverTransId }) => {
      if (!(await answered())) return NO_ANSWER
      const question = questions.get(serverTransId)
      if (question === undefined) return NO_ANSWER
      if (time.now() < question.readyAt) return { outcome: 'pending' }
      return { outcome: 'decided', verdict: verdict(question.passes ? 'Y' : 'N', question.proof) }
    },
    abandon: async () => {},
  }
}
