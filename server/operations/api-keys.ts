/** API keys: create, roll and revoke. No API key can do this itself. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import { insertKey, saveExpiry, saveRevocation, type ApiKey, type NewKey } from '../store/merchant/keys.ts'

/** How long the old key still works beside the new one. */
const ROLL_OVERLAP_MS = DAY_MS

export type KeyState = 'active' | 'expired' | 'revoked' | 'merchant closed'

/** The keys of a closed merchant do not work. */
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

/** Returns the key, which is shown once and not stored. */
export const createKey = async (
  { database, clock, random }: KeyDependencies,
  facts: Omit<NewKey, 'key'>,
): Promise<{ readonly key: string }> => {
  const key = `sk_${facts.mode}_${random.id()}`
  await insertKey(database, { ...facts, key }, clock.now())
  return { key }
}

/** Creates a key with the same access. The old one expires a day later, or earlier if it was to expire earlier. */
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

/** Ends a key at once, and returns it as it is then. */
export const revokeKey = async (
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  key: ApiKey,
): Promise<ApiKey> => {
  const revokedAt = clock.now()
  await saveRevocation(database, key.hash, revokedAt)
  return { ...key, revokedAt: key.revokedAt ?? revokedAt }
}
