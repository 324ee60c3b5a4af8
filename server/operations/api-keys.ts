/** API keys: create, roll and revoke. No API key can do this itself. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Sql } from '../store/engine/database.ts'
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

type KeyDependencies = Pick<Dependencies, 'clock' | 'random'>

const newKey = ({ random }: Pick<Dependencies, 'random'>, mode: ApiKey['mode']): string => `sk_${mode}_${random.id()}`

/** In a transaction of its caller, as all of these: where a person changes a key, it also writes the audit line. */
export const createKey = async (
  sql: Sql,
  deps: KeyDependencies,
  facts: Omit<NewKey, 'key'>,
): Promise<{ readonly key: string }> => {
  // Shown once and not stored.
  const key = newKey(deps, facts.mode)
  await insertKey(sql, { ...facts, key }, deps.clock.now())
  return { key }
}

/** Creates a key with the same access. The old one expires a day later, or earlier if it was to expire earlier. */
export const rollKey = async (
  sql: Sql,
  deps: KeyDependencies,
  old: ApiKey,
  expiresAt: Instant | null,
): Promise<{ readonly key: string; readonly oldEndsAt: Instant }> => {
  const { merchantId, mode, access, name } = old
  const oldEndsAt = Math.min(deps.clock.now() + ROLL_OVERLAP_MS, old.expiresAt ?? Number.POSITIVE_INFINITY)
  const made = await createKey(sql, deps, { merchantId, mode, access, name, expiresAt })
  await saveExpiry(sql, old.hash, oldEndsAt)
  return { ...made, oldEndsAt }
}

/** Ends a key at once, and returns it as it is then. */
export const revokeKey = async (sql: Sql, { clock }: Pick<Dependencies, 'clock'>, key: ApiKey): Promise<ApiKey> => {
  const revokedAt = clock.now()
  await saveRevocation(sql, key.hash, revokedAt)
  return { ...key, revokedAt: key.revokedAt ?? revokedAt }
}
