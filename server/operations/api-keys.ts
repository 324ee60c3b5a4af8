/** API keys: create, roll and revoke. No API key can do this itself. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Sql } from '../store/engine/database.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import {
  hashKey,
  insertKey,
  keyIdOf,
  saveExpiry,
  saveRevocation,
  type ApiKey,
  type NewKey,
} from '../store/merchant/keys.ts'

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

/** Written in the transaction that changes a key: the audit line, where a person changes it. `keyId` is of the key that results. */
export type BesideKeyChange = (sql: Sql, keyId: string, now: Instant) => Promise<void>

const nothingBeside: BesideKeyChange = async () => undefined

const newKey = ({ random }: Pick<Dependencies, 'random'>, mode: ApiKey['mode']): string => `sk_${mode}_${random.id()}`

/** Returns the key, which is shown once and not stored. */
export const createKey = async (
  deps: KeyDependencies,
  facts: Omit<NewKey, 'key'>,
  beside: BesideKeyChange = nothingBeside,
): Promise<{ readonly key: string }> => {
  const [key, now] = [newKey(deps, facts.mode), deps.clock.now()]
  await deps.database.transact(async (sql) => {
    await insertKey(sql, { ...facts, key }, now)
    await beside(sql, keyIdOf({ hash: hashKey(key) }), now)
  })
  return { key }
}

/** Creates a key with the same access. The old one expires a day later, or earlier if it was to expire earlier. */
export const rollKey = async (
  deps: KeyDependencies,
  old: ApiKey,
  expiresAt: Instant | null,
  beside: BesideKeyChange = nothingBeside,
): Promise<{ readonly key: string; readonly oldEndsAt: Instant }> => {
  const { merchantId, mode, access, name } = old
  const [key, now] = [newKey(deps, mode), deps.clock.now()]
  const oldEndsAt = Math.min(now + ROLL_OVERLAP_MS, old.expiresAt ?? Number.POSITIVE_INFINITY)
  await deps.database.transact(async (sql) => {
    await insertKey(sql, { key, merchantId, mode, access, name, expiresAt }, now)
    await saveExpiry(sql, old.hash, oldEndsAt)
    await beside(sql, keyIdOf({ hash: hashKey(key) }), now)
  })
  return { key, oldEndsAt }
}

/** Ends a key at once, and returns it as it is then. */
export const revokeKey = async (
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  key: ApiKey,
  beside: BesideKeyChange = nothingBeside,
): Promise<ApiKey> => {
  const revokedAt = clock.now()
  await database.transact(async (sql) => {
    await saveRevocation(sql, key.hash, revokedAt)
    await beside(sql, keyIdOf(key), revokedAt)
  })
  return { ...key, revokedAt: key.revokedAt ?? revokedAt }
}
