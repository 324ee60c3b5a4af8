/** API key of a call: read from the Authorization header, and whether it may make this call. */
import { mayCall, type KeyAccess, API_KEY } from '#contract/access.ts'
import { refuse, type Refusal } from '#contract/errors.ts'
import { COMMAND_NAMES } from '../config/release.ts'
import type { Dependencies } from '../dependencies.ts'
import { keyState } from '../operations/api-keys.ts'
import { hashKey, saveLastUse } from '../store/merchant/keys.ts'
import type { Caller } from '../operations/caller.ts'
import { findKeyHolder, type CalledShop } from '../store/merchant/callers.ts'
import type { CountCall } from './limits/key-limits.ts'
import { createUseNote } from './last-use.ts'

const SCHEME = 'Bearer '

/** The hash of the API key in an Authorization header. Only hashes are stored: nobody can call with a copy of the database. */
export const keyHashOf = (authorization = ''): string | null => {
  const key = authorization.slice(SCHEME.length)
  return authorization.startsWith(SCHEME) && API_KEY.test(key) ? hashKey(key) : null
}

/**
 * Why calls in live mode do not work yet; null: they do. The shop must have an account that was found able to charge: else a live
 * link would go out that nobody can pay, or that is paid at nobody's account.
 */
export const notYetLive = ({ merchant: { label }, mode, account }: CalledShop): string | null => {
  if (mode === 'test' || (account !== null && account.checkedAt !== null)) return null
  const command = `${COMMAND_NAMES.program} acquirer ${account === null ? 'set' : 'check'} --merchant ${label} --mode live`
  return account === null
    ? `This shop has no account at an acquirer for real money. The operator runs: ${command} --kind … --secret-file …`
    : `The acquirer account of this shop has not passed its check. The operator runs: ${command}`
}

/** What a call asks of its caller. */
export interface CallNeeds {
  readonly access: KeyAccess
  /** What it takes from the budget of its caller. */
  readonly cost: number
  readonly isRefund: boolean
}

export type CheckKey = (authorization: string | undefined, needs: CallNeeds) => Promise<Caller | Refusal>

/**
 * Whose key makes a call, or why it may not: unknown, ended, its merchant closed, live without a checked account, too many
 * calls, too little access. Nothing the call names is looked up before. A key is read for each call and never kept: one that is revoked ends at once.
 */
export const createKeyCheck = (deps: Dependencies, countCall: CountCall): CheckKey => {
  const noteUse = createUseNote((hash, now) => saveLastUse(deps.database, hash, now))
  return async (authorization, { access, cost, isRefund }) => {
    const keyHash = keyHashOf(authorization)
    const holder = keyHash === null ? null : await findKeyHolder(deps.database, keyHash)
    const now = deps.clock.now()
    // One answer for all reasons: the caller does not learn whether the key ever existed.
    if (holder === null || keyState(holder.key, holder.merchant, now) !== 'active') return refuse('invalid_api_key')
    const { key, ...shop } = holder
    const notYet = notYetLive(holder)
    if (notYet !== null) return refuse('invalid_api_key', {}, notYet)
    const retryAfterSeconds = countCall({ callerHash: key.hash, mode: shop.mode, cost, isRefund })
    if (retryAfterSeconds > 0) return refuse('too_many_requests', { retryAfterSeconds })
    noteUse(key, now)
    return mayCall(key.access, access)
      ? { ...shop, access: key.access, by: { kind: 'key', key } }
      : refuse('key_not_allowed', { needed: access })
  }
}
