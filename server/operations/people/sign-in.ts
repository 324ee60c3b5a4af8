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
export const beginSignIn = (deps: PasskeyDependencies): RequestOptions =>
  requestOptions(deps.publicBase, newChallenge(deps, ANYBODY), [])

/** The counter of this passkey, where it has signed a challenge that was asked for so; null: it has not. */
const verify = async (
  deps: PasskeyDependencies,
  asked: Asked,
  signed: SignedChallenge,
  passkey: Passkey,
): Promise<number | null> => {
  const challenge = await takeSigned(deps, asked, signed.response)
  return challenge === null ? null : verifySigned(deps.publicBase, signed, challenge, passkey)
}

/** `found`: the passkey that it says it is signed with. Returns the session that began, for the cookie. */
export const finishSignIn = async (
  deps: PasskeyDependencies,
  { signed, found }: { readonly signed: SignedChallenge; readonly found: Passkey },
  browser: string,
): Promise<{ readonly session: string } | Refusal> => {
  const counter = await verify(deps, ANYBODY, signed, found)
  if (counter === null) return refuse('passkey_refused')
  return changePeople(deps, async (sql) => {
    const now = deps.clock.now()
    // It may have been removed meanwhile, and its person with it.
    const passkey = await findPasskey(sql, found.id)
    if (passkey === null) return refuse('passkey_refused')
    await savePasskeyUse(sql, passkey.id, counter, now)
    const session = { personId: passkey.personId, passkeyId: passkey.id, isRecovery: false, browser }
    return { session: await beginSession(sql, deps.random, session, now) }
  })
}

export const beginConfirmation = async (
  deps: PasskeyDependencies,
  { person, session }: SignedInPerson,
): Promise<RequestOptions> => {
  const challenge = newChallenge(deps, { purpose: 'confirm', sessionHash: session.hash })
  return requestOptions(deps.publicBase, challenge, await passkeysOf(deps.database, person.id))
}

/** Returns the passkey that the session is now confirmed with. */
export const finishConfirmation = async (
  deps: PasskeyDependencies,
  { person, session }: SignedInPerson,
  signed: SignedChallenge,
): Promise<Passkey | Refusal> => {
  const passkey = await findPasskey(deps.database, signed.id)
  if (passkey === null || passkey.personId !== person.id) return refuse('passkey_refused')
  const counter = await verify(deps, { purpose: 'confirm', sessionHash: session.hash }, signed, passkey)
  if (counter === null) return refuse('passkey_refused')
  return deps.database.transact(async (sql) => {
    const now = deps.clock.now()
    await savePasskeyUse(sql, passkey.id, counter, now)
    await saveSessionPasskey(sql, session.hash, passkey.id, now)
    return passkey
  })
}
