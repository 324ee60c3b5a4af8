/** Settings of the console. */
import { oneOf, type Environment } from './readers.ts'

/** `passkey`: no link signs in a person who has a passkey. `link`: a link by mail signs in too, and recovers a lost passkey. */
const CONSOLE_SIGN_INS = ['link', 'passkey'] as const
export type ConsoleSignIn = (typeof CONSOLE_SIGN_INS)[number]

export const readConsoleSignIn = (env: Environment): ConsoleSignIn =>
  oneOf(env, 'CONSOLE_SIGN_IN', CONSOLE_SIGN_INS, 'link')
