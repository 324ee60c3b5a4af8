/** The state of an attempt as JSON text in one column: its schema, its reader and its writer. */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { ABANDON_REASONS, type AttemptState } from '#payment/attempt.ts'
import type { Row } from '../engine/database.ts'
import { json } from '../engine/columns.ts'

const Clearance = Type.Union([
  Type.Object({
    by: Type.Literal('authentication'),
    authentication: Type.Object({
      transStatus: Type.Enum(['Y', 'A']),
      eci: Type.String(),
      authenticationValue: Type.String(),
      dsTransId: Type.String(),
      messageVersion: Type.String(),
    }),
    challenged: Type.Optional(Type.Literal(true)),
  }),
  Type.Object({ by: Type.Literal('exemption'), reason: Type.Literal('not_enrolled') }),
])

const Receipt = Type.Object({ email: Type.Union([Type.String(), Type.Null()]), locale: Type.String() })

/** The whole state as JSON text; the columns `state` and `due_at` repeat what indexes and searches need of it. */
const StoredState = Type.Union([
  Type.Object({ name: Type.Literal('started'), clearance: Type.Union([Clearance, Type.Null()]) }),
  Type.Object({ name: Type.Literal('authenticating'), since: Type.Integer() }),
  Type.Object({ name: Type.Literal('challenged') }),
  Type.Object({ name: Type.Literal('authenticated'), clearance: Clearance }),
  Type.Object({
    name: Type.Literal('refused'),
    reason: Type.String(),
    counted: Type.Boolean(),
    blocksCard: Type.Boolean(),
    unfinished: Type.Optional(Type.Literal(true)),
  }),
  Type.Object({
    name: Type.Literal('charging'),
    clearance: Clearance,
    receipt: Receipt,
    claimedAt: Type.Integer(),
    leaseUntil: Type.Integer(),
  }),
  Type.Object({
    name: Type.Literal('unknown'),
    receipt: Receipt,
    why: Type.String(),
    since: Type.Integer(),
    inquiries: Type.Integer(),
    nextInquiryAt: Type.Integer(),
  }),
  Type.Object({
    name: Type.Literal('charged'),
    receipt: Receipt,
    transactionId: Type.String(),
    approvedAt: Type.Integer(),
  }),
  Type.Object({ name: Type.Literal('declined'), reason: Type.String() }),
  Type.Object({ name: Type.Literal('void'), why: Type.Optional(Type.String()) }),
  Type.Object({ name: Type.Literal('abandoned'), why: Type.Enum([...ABANDON_REASONS]) }),
])

const storedState = Compile(StoredState)

/** Earlier releases did not store when a claim was made. Such a claim was made long ago: its shopper is written to. */
const upgraded = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'name' in state && state.name === 'charging'
    ? { claimedAt: 0, ...state }
    : state

export const stateFromRow = (row: Row, column: string): AttemptState => {
  const state = json(row, column, storedState, upgraded)
  return state.name === 'void' ? { name: 'not_charged' } : state
}

/**
 * With `stateFromRow` it holds the schema and the union equal: a state that only one of them knows does not compile. Earlier
 * releases read no void without a reason: one may run beside this, or be gone back to.
 */
export const asStored = (state: AttemptState): Static<typeof StoredState> =>
  state.name === 'not_charged' ? { name: 'void', why: 'nothing was charged' } : state
