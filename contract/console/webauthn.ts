/** WebAuthn on the wire: what a browser is asked to sign, and what it answers, in the JSON of the standard (WebAuthn Level 3, section 5.1). */
import { Type, type Static } from 'typebox'
import { TEXT_RULES } from '../text-rules.ts'
import { closed } from './fields.ts'

/** No credential of any authenticator is longer. */
const CREDENTIAL_ID_MAX = 1400
/** An attestation of a security key carries certificates. */
const RESPONSE_MAX = 16_000

const Base64Url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: TEXT_RULES.base64Url.pattern })

const Credential = Type.Object(
  { id: Type.String(), type: Type.Literal('public-key'), transports: Type.Optional(Type.Array(Type.String())) },
  closed,
)

/** For `navigator.credentials.get`. */
export const RequestOptions = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.String(),
    timeout: Type.Integer(),
    userVerification: Type.Literal('required'),
    allowCredentials: Type.Array(Credential),
  },
  { ...closed, title: 'PasskeyRequest' },
)
export type RequestOptions = Static<typeof RequestOptions>

/** For `navigator.credentials.create`. */
export const CreationOptions = Type.Object(
  {
    rp: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }, closed),
    challenge: Type.String(),
    pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: Type.Literal('public-key') }, closed)),
    timeout: Type.Integer(),
    excludeCredentials: Type.Array(Credential),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal('required'),
        requireResidentKey: Type.Literal(true),
        userVerification: Type.Literal('required'),
      },
      closed,
    ),
    attestation: Type.Literal('none'),
  },
  { ...closed, title: 'PasskeyCreation' },
)
export type CreationOptions = Static<typeof CreationOptions>

// Not closed: browsers add fields that we do not read.
const common = {
  id: Base64Url(CREDENTIAL_ID_MAX),
  rawId: Base64Url(CREDENTIAL_ID_MAX),
  type: Type.Literal('public-key'),
}

/** What `navigator.credentials.get` has answered. */
export const SignedChallenge = Type.Object({
  ...common,
  response: Type.Object({
    clientDataJSON: Base64Url(RESPONSE_MAX),
    authenticatorData: Base64Url(RESPONSE_MAX),
    signature: Base64Url(RESPONSE_MAX),
  }),
})
export type SignedChallenge = Static<typeof SignedChallenge>

/** What `navigator.credentials.create` has answered. */
export const NewCredential = Type.Object({
  ...common,
  response: Type.Object({
    clientDataJSON: Base64Url(RESPONSE_MAX),
    attestationObject: Base64Url(RESPONSE_MAX),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
})
export type NewCredential = Static<typeof NewCredential>
