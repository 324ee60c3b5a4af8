/** Calls of both APIs: what each is made of, and the errors that many share. The calls: shopper-calls.ts, merchant-calls.ts, merchant-list-calls.ts, merchant-settings-calls.ts, webhook-calls.ts. */
import { Type, type TSchema } from 'typebox'
import type { KeyAccess } from './api-key.ts'
import type { ErrorCode } from './errors.ts'
import type { CallPath } from './paths.ts'

/**
 * Lane of a call: which calls it waits with when the server is busy (`server/http/lane-table.ts`). Of a merchant's call it
 * also says what the call costs its key.
 */
export type CallLane = 'payment' | 'reads' | 'files' | MerchantLane
export type MerchantLane = keyof typeof CALL_COSTS

/** What one call of each lane takes from the budget of its key (`server/http/key-limits.ts`): about what it costs the server. */
export const CALL_COSTS = { creates: 1, merchantCalls: 1, dearCalls: 5, uploads: 25, reports: 50 } as const

/** One call, written once: the server validates by it, both sides take their types from it, OpenAPI is made of it. */
export interface Call<Path extends TSchema, Body extends TSchema, Answer extends TSchema> extends CallPath {
  readonly summary: string
  readonly params: Path
  readonly body: Body
  readonly status: 200 | 201
  readonly answer: Answer
  readonly errors: readonly ErrorCode[]
  readonly lane: CallLane
  /** Every call of the merchant API names it: see MerchantCall. */
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

export const call = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  definition: Call<Path, Body, Answer>,
): Call<Path, Body, Answer> => definition

/** Every call reads the database, if only to find the merchant. */
export const faults = ['unavailable', 'system_error'] as const

/** Every call but a GET reads the body it is sent, also one that wants none. */
export const bodyErrors = ['invalid_json', 'invalid_field', 'body_too_large', 'unsupported_media_type'] as const

export const NoPath = Type.Object({})

/** A call without a body accepts none, an empty one and `{}`: HTTP clients differ in what they send for "nothing". */
export const NoBody = Type.Union([Type.Null(), Type.Object({}, { additionalProperties: false })])

export const merchantErrors = ['invalid_api_key', 'too_many_requests', ...faults] as const

export const merchantCall = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  definition: MerchantCall<Path, Body, Answer>,
): MerchantCall<Path, Body, Answer> => ({
  ...definition,
  // Every key may read.
  errors: [...definition.errors, ...(definition.access === 'read' ? [] : ['key_not_allowed' as const])],
})

/** A call that reads its query, and reads alone: every key may make it, unless it names another access. */
export interface QueryCall<Path extends TSchema, Query extends TSchema, Answer extends TSchema> extends MerchantCall<
  Path,
  typeof NoBody,
  Answer
> {
  readonly query: Query
  /** Where the answer is not JSON. */
  readonly contentType?: string
}

export const queryCall = <Path extends TSchema, Query extends TSchema, Answer extends TSchema>({
  query,
  contentType,
  access = 'read',
  ...definition
}: Omit<QueryCall<Path, Query, Answer>, 'access' | 'body' | 'status'> & {
  readonly access?: KeyAccess
}): QueryCall<Path, Query, Answer> => ({
  ...merchantCall({ ...definition, access, body: NoBody, status: 200 }),
  query,
  ...(contentType === undefined ? {} : { contentType }),
})

/** A misspelt filter must not be passed over: the caller would take all for the few that were asked for. */
export const queryErrors = ['invalid_field', ...merchantErrors] as const
