/** API keys: who calls, and which role a test has taken from the caller. */
import { createHash } from 'node:crypto'
import type { Reply } from '../http/router.ts'
import { serviceError } from './error-answers.ts'
import type { AdyenStore } from './store.ts'

/** docs.adyen.com/development-resources/api-credentials/roles: the roles that our calls need. */
const ROLES = ['checkout', 'pci', 'modifications', 'reports'] as const
export type Role = (typeof ROLES)[number]

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('base64url')

interface Caller {
  readonly keyHash: string
  readonly missingRoles: ReadonlySet<string>
}

/** `<key>_no_<role>` is the user of `<key>` without that role. */
const callerOf = (given: string): Caller => {
  const [key = '', ...missing] = given.split('_no_')
  return { keyHash: hashOfKey(key), missingRoles: new Set(missing) }
}

const unauthorized = (): Reply => serviceError('unauthorized', 'HTTP Status Response - Unauthorized')

const roleProblem = ({ missingRoles }: Caller, roles: readonly Role[]): Reply | undefined =>
  roles.some((role) => missingRoles.has(role)) ? serviceError('not_allowed', 'Not allowed') : undefined

/** A key that nobody has: refused before anything is told of the body. */
export const unknownKeyProblem = (store: AdyenStore, key: string | undefined): Reply | undefined =>
  store.knowsApiKey(callerOf(key ?? '').keyHash) ? undefined : unauthorized()

/** Undefined where the caller may do it for the merchant account. */
export const permissionProblem = (
  store: AdyenStore,
  key: string | undefined,
  merchantAccount: string,
  roles: readonly Role[],
): Reply | undefined => {
  const caller = callerOf(key ?? '')
  if (!store.isApiKey(merchantAccount, caller.keyHash))
    return serviceError('invalid_merchant_account', 'Invalid Merchant Account')
  return roleProblem(caller, roles)
}

export const reportKeyProblem = (
  store: AdyenStore,
  key: string | undefined,
  merchantAccount: string,
): Reply | undefined => {
  const caller = callerOf(key ?? '')
  return store.isReportKey(merchantAccount, caller.keyHash) ? roleProblem(caller, ['reports']) : unauthorized()
}
