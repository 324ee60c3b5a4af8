/** Challenges that an authenticator signs: made for one purpose and one session, not stored before they are answered, and answered once. */
import { timingSafeEqual } from 'node:crypto'
import type { Instant } from '#contract/jst.ts'
import { isYetToCome } from '#payment/clock.ts'
import { CHALLENGE_MS } from '#payment/person-session.ts'
import type { Dependencies } from '../../dependencies.ts'
import { endChallenge } from '../../store/people/challenges.ts'
import { challengeIn } from './webauthn.ts'

type ChallengeDependencies = Pick<Dependencies, 'clock' | 'random' | 'challengeMacs'>

export interface Asked {
  readonly purpose: 'sign_in' | 'enrol' | 'confirm'
  /** Null: nobody has signed in yet. */
  readonly sessionHash: string | null
}

/** Of its random part, and of the time after it. */
const RANDOM_BYTES = 24
const TIME_BYTES = 6
const SIGNED_BYTES = RANDOM_BYTES + TIME_BYTES

const macsOf = ({ challengeMacs }: ChallengeDependencies, { purpose, sessionHash }: Asked, signed: Buffer) =>
  challengeMacs(JSON.stringify([purpose, sessionHash, signed.toString('base64url')]))

/**
 * 160 random bits and the time, with a MAC over both and what is asked: whoever opens the sign-in page, a thousand times a second
 * too, writes nothing and takes nothing away from others.
 */
export const newChallenge = (deps: ChallengeDependencies, asked: Asked): string => {
  const signed = Buffer.alloc(SIGNED_BYTES)
  signed.write(deps.random.id(), 'base64url')
  signed.writeUIntBE(deps.clock.now(), RANDOM_BYTES, TIME_BYTES)
  const [mac] = macsOf(deps, asked, signed)
  if (mac === undefined) throw new Error('nobody can be asked for a passkey without a secret key')
  return Buffer.concat([signed, mac]).toString('base64url')
}

const isOver = (madeAt: Instant, now: Instant): boolean => isYetToCome(madeAt, now) || now - madeAt >= CHALLENGE_MS

/** The challenge that a browser says it has signed, where it was asked for so and in time; null: it was not. */
const signedIn = (
  deps: ChallengeDependencies,
  asked: Asked,
  response: { readonly clientDataJSON: string },
): string | null => {
  const challenge = challengeIn(response)
  const bytes = Buffer.from(challenge ?? '', 'base64url')
  // As it was made, and in no other way of writing the same bytes: its text is answered once.
  if (bytes.length <= SIGNED_BYTES || bytes.toString('base64url') !== challenge) return null
  const [signed, mac] = [bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES)]
  const isOurs = macsOf(deps, asked, signed).some((each) => each.length === mac.length && timingSafeEqual(each, mac))
  return isOurs && !isOver(signed.readUIntBE(RANDOM_BYTES, TIME_BYTES), deps.clock.now()) ? challenge : null
}

/** The same, where it was not answered before. It cannot be answered again, whether this answer is right or wrong. */
export const takeSigned = async (
  deps: ChallengeDependencies & Pick<Dependencies, 'database'>,
  asked: Asked,
  response: { readonly clientDataJSON: string },
): Promise<string | null> => {
  const challenge = signedIn(deps, asked, response)
  return challenge !== null && (await endChallenge(deps.database, challenge, deps.clock.now())) ? challenge : null
}
