/** Calls of the console: what each is made of, and the errors that those of one access share. */
import type { TSchema } from 'typebox'
import { bodyErrors, faults, NoBody, type Call } from '../calls.ts'
import { needsConfirmingPasskey, type KeyAccess } from '../access.ts'
import type { ErrorCode } from '../error-table.ts'
import { refusesNewPasskey, type ConsoleAccess, type ConsoleRoute } from './paths.ts'

export interface ConsoleCall<Path extends TSchema, Body extends TSchema, Answer extends TSchema>
  extends Omit<Call<Path, Body, Answer>, 'access' | 'lane' | 'limit'>, ConsoleRoute {}

export type AnyConsoleCall = ConsoleCall<TSchema, TSchema, TSchema>

const SHARED: Readonly<Record<ConsoleAccess, readonly ErrorCode[]>> = {
  anybody: [],
  session: ['signed_out'],
  person: ['signed_out', 'passkey_needed'],
  viewer: ['signed_out', 'passkey_needed', 'role_not_allowed'],
  owner: ['signed_out', 'passkey_needed', 'role_not_allowed'],
  operator: ['signed_out', 'passkey_needed', 'role_not_allowed'],
}

/**
 * What a call of the merchant API may answer at the console's host beside its own errors. They stand here and not at each call:
 * a program with a key gets none of them.
 */
export const sessionErrors = (call: { readonly access: KeyAccess; readonly method: string }): readonly ErrorCode[] => [
  'not_from_the_console',
  'signed_out',
  'passkey_needed',
  'role_not_allowed',
  'shop_closed',
  'shop_not_live',
  // The headers that name shop and mode.
  'invalid_field',
  ...(needsConfirmingPasskey(call) ? (['passkey_too_new'] as const) : []),
]

/** A call of the console. `errors` are its own; those that such calls share are added here. */
export const consoleCall = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  definition: ConsoleCall<Path, Body, Answer>,
): ConsoleCall<Path, Body, Answer> => ({
  ...definition,
  errors: [
    ...definition.errors,
    'not_from_the_console',
    ...SHARED[definition.access],
    ...(refusesNewPasskey(definition) ? (['passkey_too_new'] as const) : []),
    ...(definition.method === 'GET' ? [] : bodyErrors),
    ...(definition.method === 'GET' || definition.access === 'anybody' ? [] : (['too_many_tries'] as const)),
    ...faults,
  ],
})

/** A call of the console that takes no body and is answered with 200. */
export const bodilessConsoleCall = <Path extends TSchema, Answer extends TSchema>(
  definition: Omit<ConsoleCall<Path, typeof NoBody, Answer>, 'body' | 'status'>,
): ConsoleCall<Path, typeof NoBody, Answer> => consoleCall({ ...definition, body: NoBody, status: 200 })
