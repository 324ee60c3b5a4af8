/** Calls of both APIs: what each is made of, and the errors that many share. The calls: shopper-calls.ts and merchant/; those of the console: console/. */
import { Type, type TSchema } from 'typebox'
import type { KeyAccess, MerchantLane } from './access.ts'
import type { ErrorCode } from './error-table.ts'
import type { CallPath } from './paths.ts'

/**
 * Lane of a call: which calls it waits with when the server is busy (`server/http/limits/lane-table.ts`). Of a merchant's call it
 * also says what the call costs its key.
 */
export type CallLane = 'payment' | 'reads' | 'files' | 'consoleCalls' | MerchantLane

/** One call, written once: the server validates by it, both sides take their types from it, OpenAPI is made of it. */
export interface Call<Path extends TSchema, Body extends TSchema, Answer extends TSchema> extends CallPath {
  readonly summary: string
  readonly params: Path
  readonly body: Body
  /** Headers of the request that mean something to this call. */
  readonly headers?: TSchema
  readonly query?: TSchema
  readonly status: 200 | 201
  readonly answer: Answer
  /** Where the answer is not JSON. */
  readonly contentType?: string
  readonly errors: readonly ErrorCode[]
  readonly lane: CallLane
  /** Every call of the merchant API has one: access.ts. */
  readonly access?: KeyAccess
  /** A call that has a limit of its own beside the one of its key. */
  readonly limit?: 'refunds'
}

/** A call of the merchant's server: it does not compile without the access that its key needs and what it costs the key. */
export interface MerchantCall<Path extends TSchema, Body extends TSchema, Answer extends TSchema> extends Call<
  Path,
  Body,
  Answer
> {
  readonly access: KeyAccess
  readonly lane: MerchantLane
}

/** A call of the shopper's page: each is answered with 200. */
export const shopperCall = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  definition: Omit<Call<Path, Body, Answer>, 'status'>,
): Call<Path, Body, Answer> => ({ ...definition, status: 200 })

/** Every call reads the database, if only to find the merchant. */
export const faults = ['unavailable', 'system_error'] as const

/** Every call but a GET reads the body it is sent, also one that wants none. */
export const bodyErrors = ['invalid_json', 'invalid_field', 'body_too_large', 'unsupported_media_type'] as const

export const NoPath = Type.Object({})

export const NoQuery = Type.Object({}, { additionalProperties: false })

/** A call without a body accepts none, an empty one and `{}`: HTTP clients differ in what they send for "nothing". */
export const NoBody = Type.Union([Type.Null(), Type.Object({}, { additionalProperties: false })])

/** What every call of the merchant API may be answered with. */
const merchantErrors = ['invalid_api_key', 'too_many_requests', ...faults] as const

type MerchantCallDefinition<Path extends TSchema, Body extends TSchema, Answer extends TSchema> = MerchantCall<
  Path,
  Body,
  Answer
> & {
  /** Errors of reading the body; those of JSON unless given. */
  readonly bodyErrors?: readonly ErrorCode[]
}

/** A call of the merchant API. `errors` are its own; those that such calls share are added here. */
export const merchantCall = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>({
  bodyErrors: ofBody = bodyErrors,
  ...definition
}: MerchantCallDefinition<Path, Body, Answer>): MerchantCall<Path, Body, Answer> => ({
  ...definition,
  errors: [
    ...definition.errors,
    ...merchantErrors,
    ...(definition.method === 'GET' ? [] : ofBody),
    // Every key may read.
    ...(definition.access === 'read' ? [] : ['key_not_allowed' as const]),
  ],
})

/** A call of the merchant API that takes no body and is answered with 200. */
export const bodilessCall = <Path extends TSchema, Answer extends TSchema>(
  definition: Omit<MerchantCall<Path, typeof NoBody, Answer>, 'body' | 'status'>,
): MerchantCall<Path, typeof NoBody, Answer> => merchantCall({ ...definition, body: NoBody, status: 200 })

/** A call that reads its query and changes nothing. */
export interface QueryCall<Path extends TSchema, Query extends TSchema, Answer extends TSchema> extends MerchantCall<
  Path,
  typeof NoBody,
  Answer
> {
  readonly query: Query
}

export const queryCall = <Path extends TSchema, Query extends TSchema, Answer extends TSchema>({
  query,
  errors,
  ...definition
}: Omit<QueryCall<Path, Query, Answer>, 'body' | 'status'>): QueryCall<Path, Query, Answer> => ({
  // An unknown filter is refused: if it were ignored, the caller would take the whole list for the filtered one.
  ...bodilessCall({ ...definition, errors: [...errors, 'invalid_field'] }),
  query,
})
