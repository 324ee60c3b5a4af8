/** WebAuthn: what a browser is asked to sign, and whether it has. The relying party is the console's host. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { CreationOptions, NewCredential, RequestOptions, SignedChallenge } from '#contract/console/webauthn.ts'
import { CHALLENGE_MS } from '#payment/person-session.ts'
import { consoleOrigin } from '../../origins.ts'
import { parseJson } from '../../parse-json.ts'
import type { Passkey } from '../../store/people/passkeys.ts'
import type { Person } from '../../store/people/people.ts'
import { loadWebAuthn } from './load-webauthn.ts'

const RP_NAME = 'Kaikei'
/** ES256, EdDSA and RS256 (IANA, COSE Algorithms): one of them is known to every authenticator. */
const ALGORITHMS = [-7, -8, -257]

const rpIdOf = (base: URL): string => new URL(consoleOrigin(base)).hostname

const credentialsOf = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ id, transports }) => ({ id, type: 'public-key' as const, transports: [...transports] }))

/** `allowed`: none means whichever passkey of this host the browser holds. */
export const requestOptions = (base: URL, challenge: string, allowed: readonly Passkey[]): RequestOptions => ({
  challenge,
  rpId: rpIdOf(base),
  timeout: CHALLENGE_MS,
  userVerification: 'required',
  allowCredentials: credentialsOf(allowed),
})

export const creationOptions = (
  base: URL,
  challenge: string,
  { id, email, name }: Person,
  known: readonly Passkey[],
): CreationOptions => ({
  rp: { id: rpIdOf(base), name: RP_NAME },
  user: { id: Buffer.from(id).toString('base64url'), name: email, displayName: name },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
  timeout: CHALLENGE_MS,
  excludeCredentials: credentialsOf(known),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})

const ClientData = Compile(
  Type.Object({ challenge: Type.String({ maxLength: 100 }), crossOrigin: Type.Optional(Type.Boolean()) }),
)

/** The challenge that a browser says it has signed; null: none of ours, or signed in a frame of another site. */
export const challengeIn = ({ clientDataJSON }: { readonly clientDataJSON: string }): string | null => {
  const data = parseJson(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  return ClientData.Check(data) && data.crossOrigin !== true ? data.challenge : null
}

/** The library throws for whatever is wrong; its messages quote what was sent and are not kept. */
const nullIfThrown = async <T>(work: () => Promise<T | null>): Promise<T | null> => {
  try {
    return await work()
  } catch {
    return null
  }
}

/** The counter of the authenticator, where this passkey has signed the challenge at the console's origin; null: it has not. */
export const verifySigned = (
  base: URL,
  { id, rawId, response }: SignedChallenge,
  challenge: string,
  passkey: Passkey,
): Promise<number | null> =>
  nullIfThrown(async () => {
    const { verifyAuthenticationResponse, isoBase64URL } = await loadWebAuthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: consoleOrigin(base),
      expectedRPID: rpIdOf(base),
      requireUserVerification: true,
      // As if it had never been used: a passkey that is synchronised counts nothing, or counts on several devices.
      credential: { id: passkey.id, publicKey: isoBase64URL.toBuffer(passkey.publicKey), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : null
  })

/**
 * The attestation is left out before the credential is verified: nothing is decided by it, and to check its certificates the
 * library would fetch addresses that a stranger has written into them.
 */
const withoutAttestation = async (attestationObject: string): Promise<string> => {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await loadWebAuthn()
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const none = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(none))
}

export interface VerifiedCredential {
  readonly id: string
  readonly publicKey: string
  readonly counter: number
}

/** The credential that was made for the challenge at the console's origin; null: it was not. */
export const verifyCreated = (
  base: URL,
  { id, rawId, response }: NewCredential,
  challenge: string,
): Promise<VerifiedCredential | null> =>
  nullIfThrown(async () => {
    const { clientDataJSON } = response
    const { verifyRegistrationResponse, isoBase64URL } = await loadWebAuthn()
    const attestationObject = await withoutAttestation(response.attestationObject)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: consoleOrigin(base),
      expectedRPID: rpIdOf(base),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    // The one in the signed data may be of any length; the one beside it has passed its schema.
    if (!verified || registrationInfo.credential.id !== id) return null
    const { credential } = registrationInfo
    return { id: credential.id, publicKey: isoBase64URL.fromBuffer(credential.publicKey), counter: credential.counter }
  })
