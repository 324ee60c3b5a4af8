/** API keys: creating, rolling and revoking them. Never by a key itself. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import { insertKey, saveExpiry, saveRevocation, type ApiKey, type NewKey } from '../store/merchant/keys.ts'

/** For how long the old key works on beside the new one. */
const ROLL_OVERLAP_MS = DAY_MS

export type KeyState = 'active' | 'expired' | 'revoked' | 'merchant closed'

/** The keys of a closed merchant open nothing. */
export const keyState = (
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  { closedAt }: Pick<Merchant, 'closedAt'>,
  now: Instant,
): KeyState => {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  return closedAt === null ? 'active' : 'merchant closed'
}

type KeyDependencies = Pick<Dependencies, 'database' | 'clock' | 'random'>

/** The key as it is shown, once. */
export const createKey = async (
  { database, clock, random }: KeyDependencies,
  facts: Omit<NewKey, 'key'>,
): Promise<{ readonly key: string }> => {
  const key = `sk_${facts.mode}_${random.id()}`
  await insertKey(database, { ...facts, key }, clock.now())
  return { key }
}

/** A new key that may do the same. The old one ends a day later, or when it would have ended anyway. */
export const rollKey = async (
  { database, clock, random }: KeyDependencies,
  old: ApiKey,
  expiresAt: Instant | null,
): Promise<{ readonly key: string; readonly oldEndsAt: Instant }> => {
  const now = clock.now()
  const { merchantId, mode, access, name } = old
  const key = `sk_${mode}_${random.id()}`
  const oldEndsAt = Math.min(now + ROLL_OVERLAP_MS, old.expiresAt ?? Number.POSITIVE_INFINITY)
  await database.transact(async (sql) => {
    await insertKey(sql, { key, merchantId, mode, access, name, expiresAt }, now)
    await saveExpiry(sql, old.hash, oldEndsAt)
  })
  return { key, oldEndsAt }
}

/** Ends a key at once; the key as it then stands. */
export const revokeKey = async (
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  key: ApiKey,
): Promise<ApiKey> => {
  const revokedAt = clock.now()
  await saveRevocation(database, key.hash, revokedAt)
  return { ...key, revokedAt: key.revokedAt ?? revokedAt }
}
