/** Signing in with a passkey, and confirming with one. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { RequestOptions, SignedChallenge } from '#contract/console/webauthn.ts'
import { findPasskey, passkeysOf, savePasskeyUse, type Passkey } from '../../store/people/passkeys.ts'
import { saveSessionPasskey } from '../../store/people/sessions.ts'
import { beginSession } from './begin-session.ts'
import { newChallenge, takeSigned, type Asked } from './challenges.ts'
import { changePeople } from './change-people.ts'
import type { PasskeyDependencies, SignedInPerson } from './passkeys.ts'
import { requestOptions, verifySigned } from './webauthn.ts'

const ANYBODY: Asked = { purpose: 'sign_in', sessionHash: null }

/** Names no passkey: whoever asks learns of nobody which ones there are. */
export const beginSignIn = async (deps: PasskeyDependencies): Promise<RequestOptions> =>
  requestOptions(deps.publicBase, await newChallenge(deps, ANYBODY), [])

/** The passkey that has signed a challenge that was asked for so; null: none has. The challenge is gone afterwards. */
const findSigner = async (
  deps: PasskeyDependencies,
  asked: Asked,
  signed: SignedChallenge,
): Promise<{ readonly passkey: Passkey; readonly counter: number } | null> => {
  const challenge = await takeSigned(deps, asked, signed.response)
  if (challenge === null) return null
  const passkey = await findPasskey(deps.database, signed.id)
  const counter = passkey === null ? null : await verifySigned(deps.publicBase, signed, challenge, passkey)
  return passkey === null || counter === null ? null : { passkey, counter }
}

/** Returns the session that began, for the cookie. */
export const finishSignIn = async (
  deps: PasskeyDependencies,
  signed: SignedChallenge,
  browser: string,
): Promise<{ readonly session: string } | Refusal> => {
  const signer = await findSigner(deps, ANYBODY, signed)
  if (signer === null) return refuse('passkey_refused')
  return changePeople(deps, async (sql) => {
    const now = deps.clock.now()
    // It may have been removed meanwhile, and its person with it.
    const passkey = await findPasskey(sql, signer.passkey.id)
    if (passkey === null) return refuse('passkey_refused')
    await savePasskeyUse(sql, passkey.id, signer.counter, now)
    const session = { personId: passkey.personId, passkeyId: passkey.id, isRecovery: false, browser }
    return { session: await beginSession(sql, deps.random, session, now) }
  })
}

export const beginConfirmation = async (
  deps: PasskeyDependencies,
  { person, session }: SignedInPerson,
): Promise<RequestOptions> => {
  const challenge = await newChallenge(deps, { purpose: 'confirm', sessionHash: session.hash })
  return requestOptions(deps.publicBase, challenge, await passkeysOf(deps.database, person.id))
}

/** Returns the passkey that the session is now confirmed with. */
export const finishConfirmation = async (
  deps: PasskeyDependencies,
  { person, session }: SignedInPerson,
  signed: SignedChallenge,
): Promise<Passkey | Refusal> => {
  const signer = await findSigner(deps, { purpose: 'confirm', sessionHash: session.hash }, signed)
  if (signer === null || signer.passkey.personId !== person.id) return refuse('passkey_refused')
  const { passkey, counter } = signer
  return deps.database.transact(async (sql) => {
    const now = deps.clock.now()
    await savePasskeyUse(sql, passkey.id, counter, now)
    await saveSessionPasskey(sql, session.hash, passkey.id, now)
    return passkey
  })
}
