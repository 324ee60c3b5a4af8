/** WebAuthn: what a browser is asked to sign, and whether it has. The relying party is the console's host. */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { CreationOptions, NewCredential, RequestOptions, SignedChallenge } from '#contract/console/webauthn.ts'
import { CHALLENGE_MS } from '#payment/person-session.ts'
import { consoleOrigin } from '../../origins.ts'
import { parseJson } from '../../parse-json.ts'
import type { Passkey } from '../../store/people/passkeys.ts'
import type { Person } from '../../store/people/people.ts'
import { loadWebAuthn, loadWebAuthnInParts, untilIdle } from './load-webauthn.ts'

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
  passkey: Pick<Passkey, 'id' | 'publicKey'>,
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

/** The generator of P-256 (SEC 2, section 2.4.2) as a public key in COSE, and the signature r = 1, s = 1, which is nobody's. */
const GENERATOR =
  'pQECAyYgASFYIGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU'
const NOBODYS_SIGNATURE = 'MAYCAQECAQE'
/** That somebody was there and was verified, and no signature was counted. */
const FLAGS_AND_COUNTER = Buffer.from([0x05, 0, 0, 0, 0])

/**
 * Loads the library while the server has nothing to do, and has it look at a signature that is wrong: what it needs for that it
 * loads with the first one, which takes as long as four others.
 */
export const prepareWebAuthn = async (base: URL, pause: () => Promise<void> = untilIdle): Promise<void> => {
  await loadWebAuthnInParts(pause)
  await pause()
  const challenge = 'nobody'
  const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin: consoleOrigin(base) })
  const rpIdHash = createHash('sha256').update(rpIdOf(base)).digest()
  const response = {
    clientDataJSON: Buffer.from(clientData).toString('base64url'),
    authenticatorData: Buffer.concat([rpIdHash, FLAGS_AND_COUNTER]).toString('base64url'),
    signature: NOBODYS_SIGNATURE,
  }
  const signed = { id: challenge, rawId: challenge, type: 'public-key', response } as const
  await verifySigned(base, signed, challenge, { id: challenge, publicKey: GENERATOR })
}

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
