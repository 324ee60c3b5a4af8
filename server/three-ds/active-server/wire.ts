/** ActiveServer, wire format (Auth API v2, browser channel): its own words, which nothing outside this folder knows. */
import { Type } from 'typebox'

const Id = Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' })
const MaybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const EnrolAnswer = Type.Object({ enrolmentStatus: Type.String() })

export const InitAnswer = Type.Object({
  threeDSServerTransID: Id,
  authUrl: Type.String(),
  threeDSServerCallbackUrl: MaybeText,
  monUrl: MaybeText,
})

/** An answer to `authUrl`, and the result of a challenge: the same set of fields. */
export const AuthAnswer = Type.Object({
  transStatus: Type.String(),
  threeDSServerTransID: Type.Optional(Type.Union([Id, Type.Null()])),
  challengeUrl: MaybeText,
  resultMonUrl: MaybeText,
  eci: Type.Optional(Type.Unknown()),
  authenticationValue: Type.Optional(Type.Unknown()),
  dsTransID: Type.Optional(Type.Unknown()),
  messageVersion: Type.Optional(Type.Unknown()),
  transStatusReason: Type.Optional(Type.Unknown()),
  challengeCancel: Type.Optional(Type.Unknown()),
})

export const MonitorAnswer = Type.Object({ event: Type.String() })

export const Problem = Type.Object({
  errorCode: Type.Union([Type.String({ pattern: '^[0-9]{3,4}$' }), Type.Integer({ minimum: 100, maximum: 9999 })]),
})

/** An HTTP answer with its body already parsed as JSON, or null where there was none. */
export interface ActiveServerReply {
  readonly status: number
  readonly body: unknown
}
