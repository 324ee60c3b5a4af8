/** Passkeys in the browser: asks for one, or makes one, between the two calls of the server. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { beginConfirmation, beginEnrolment, finishConfirmation, finishEnrolment } from '#contract/console/person.ts'
import { beginSignIn, finishSignIn } from '#contract/console/sign-in.ts'
import type { CreationOptions, NewCredential, RequestOptions, SignedChallenge } from '#contract/console/webauthn.ts'
import type { Api, CallResult } from './api.ts'

/** The person has closed the browser's dialog, or the browser found no passkey: nothing was sent. */
const notDone = { ok: false, failure: { code: 'passkey_needed', params: {} } } as const
const refused = { ok: false, failure: { code: 'passkey_refused', params: {} } } as const

const wasCancelled = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

const failureFor = (error: unknown): typeof notDone | typeof refused => (wasCancelled(error) ? notDone : refused)

const sign = async (options: RequestOptions): Promise<SignedChallenge | typeof notDone | typeof refused> => {
  try {
    return await startAuthentication({ optionsJSON: { ...options, allowCredentials: [...options.allowCredentials] } })
  } catch (error) {
    return failureFor(error)
  }
}

const create = async (options: CreationOptions): Promise<NewCredential | typeof notDone | typeof refused> => {
  try {
    return await startRegistration({ optionsJSON: options })
  } catch (error) {
    return failureFor(error)
  }
}

export const signInWithPasskey = async (api: Api, options: RequestOptions): Promise<CallResult<unknown>> => {
  const passkey = await sign(options)
  return 'ok' in passkey ? passkey : api.send(finishSignIn, { body: { passkey } })
}

/** What the sign-in screen needs before its button can be pressed. */
export const askForSignIn = (api: Api) => api.send(beginSignIn, {})

export const confirmWithPasskey = async (api: Api): Promise<CallResult<unknown>> => {
  const begun = await api.send(beginConfirmation, {})
  if (!begun.ok) return begun
  const passkey = await sign(begun.value.options)
  return 'ok' in passkey ? passkey : api.send(finishConfirmation, { body: { passkey } })
}

export const enrolPasskey = async (api: Api, name: string): Promise<CallResult<unknown>> => {
  const begun = await api.send(beginEnrolment, {})
  if (!begun.ok) return begun
  const passkey = await create(begun.value.options)
  return 'ok' in passkey ? passkey : api.send(finishEnrolment, { body: { passkey, name } })
}
