/** Challenges that an authenticator signs: made for one purpose and one session, and taken with the first answer. */
import { hashToken } from '../../store/people/people.ts'
import { insertChallenge, takeChallenge, type Challenge } from '../../store/people/challenges.ts'
import type { PeopleDependencies } from './change-people.ts'
import { challengeIn } from './webauthn.ts'

export type Asked = Omit<Challenge, 'hash'>

export const newChallenge = async ({ database, clock, random }: PeopleDependencies, asked: Asked): Promise<string> => {
  const challenge = random.id()
  await insertChallenge(database, { hash: hashToken(challenge), ...asked }, clock.now())
  return challenge
}

/** The challenge that a browser says it has signed, where it was asked for so; null: it was not. It is gone afterwards. */
export const takeSigned = async (
  { database, clock }: PeopleDependencies,
  asked: Asked,
  response: { readonly clientDataJSON: string },
): Promise<string | null> => {
  const challenge = challengeIn(response)
  if (challenge === null) return null
  return (await takeChallenge(database, { hash: hashToken(challenge), ...asked }, clock.now())) ? challenge : null
}
