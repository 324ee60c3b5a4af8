/** Routes of the console that list, make, roll and revoke the API keys of a shop. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { AuditAction } from '#contract/console/audit.ts'
import * as calls from '#contract/console/keys.ts'
import { isRefusal, refuse, refuseField, type Refusal } from '#contract/errors.ts'
import { DAY_MS, parseDeadline, type Instant } from '#contract/jst.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { readName } from '#payment/entered-name.ts'
import { createKey, keyState, revokeKey, rollKey, type KeyState } from '../../operations/api-keys.ts'
import { changeShop, noteAtShop } from '../../operations/people/change-people.ts'
import type { Sql } from '../../store/engine/database.ts'
import { findKey, hashKey, isKeyId, keyIdOf, keysOfMerchant, type ApiKey } from '../../store/merchant/keys.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from './console-route.ts'

const STATE_WORDS: Readonly<Record<KeyState, calls.KeyStateWord>> = {
  active: 'active',
  expired: 'expired',
  revoked: 'revoked',
  'merchant closed': 'shop_closed',
}

const presentKey = (key: ApiKey, merchant: Merchant, now: Instant): calls.KeyAnswer => ({
  id: keyIdOf(key),
  mode: key.mode,
  access: key.access,
  ...when(key.name, (name) => ({ name })),
  ...when(key.hint, (hint) => ({ hint })),
  state: STATE_WORDS[keyState(key, merchant, now)],
  createdAt: iso(key.createdAt),
  ...when(key.lastUsedAt, (at) => ({ lastUsedAt: iso(at) })),
  ...when(key.expiresAt, (at) => ({ expiresAt: iso(at) })),
  ...when(key.revokedAt, (at) => ({ revokedAt: iso(at) })),
})

const hasEnded = ({ revokedAt, expiresAt }: ApiKey, now: Instant): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now)

/** All that work and the last that have ended, the newest first. */
export const listedKeys = (keys: readonly ApiKey[], now: Instant): ApiKey[] => {
  const newestFirst = keys.toReversed()
  const ended = newestFirst.filter((key) => hasEnded(key, now)).slice(0, calls.ENDED_KEYS_LISTED)
  return newestFirst.filter((key) => !hasEnded(key, now) || ended.includes(key))
}

/** Keys of a day count although they were revoked: otherwise a shop could make any number of them. */
export const hasTooManyKeys = (keys: readonly ApiKey[], now: Instant): boolean =>
  keys.filter((key) => !hasEnded(key, now) || now - key.createdAt < DAY_MS).length >= calls.KEYS_MAX

const readExpiry = (text: string | undefined, now: Instant): { readonly expiresAt: Instant | null } | Refusal => {
  if (text === undefined) return { expiresAt: null }
  const expiresAt = parseDeadline(text)
  if (expiresAt === undefined)
    return refuseField('expiresAt', 'must be a day such as 2027-03-31 or an instant such as 2027-03-31T18:00:00+09:00.')
  return expiresAt <= now ? refuseField('expiresAt', 'is in the past. Give a later time.') : { expiresAt }
}

export const keyRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (app, { deps, signedInOf, shopOf }) => {
  const { database, clock, clockCheck, random } = deps

  /** A change by a person who still is an owner when it is made, with its audit line. */
  const changeKeys = <T extends { readonly changed: ApiKey }>(
    request: FastifyRequest,
    action: AuditAction,
    work: (sql: Sql, merchant: Merchant, now: Instant) => Promise<T | Refusal>,
  ): Promise<T | Refusal> => {
    const [{ merchant }, by] = [shopOf(request), signedInOf(request).person]
    return changeShop(deps, { merchantId: merchant.id, by }, async (sql) => {
      const at = clock.now()
      const result = await work(sql, merchant, at)
      if (isRefusal(result)) return result
      const { mode, access, name } = result.changed
      const details = name === null ? access : `${access}, ${name}`
      await noteAtShop(sql, random, merchant.id, { by, action, subject: keyIdOf(result.changed), details, mode, at })
      return result
    })
  }

  const ownKey = async (sql: Sql, { id }: Merchant, keyId: string): Promise<ApiKey | Refusal> => {
    const key = isKeyId(keyId) ? await findKey(sql, keyId) : null
    return key === null || key.merchantId !== id ? refuse('key_not_found') : key
  }

  /** Why no key can be made now. By a wrong clock one would end at a wrong time. */
  const refuseNewKey = async (sql: Sql, { id, closedAt }: Merchant, now: Instant): Promise<Refusal | null> => {
    if (closedAt !== null) return refuse('shop_closed')
    if (!clockCheck.isConfirmed())
      return refuse('unavailable', {}, 'The clock of the server is not confirmed: nothing was done.')
    return hasTooManyKeys(await keysOfMerchant(sql, id), now) ? refuse('too_many_keys', { most: calls.KEYS_MAX }) : null
  }

  const findMade = async (sql: Sql, key: string): Promise<ApiKey> => {
    const made = await findKey(sql, keyIdOf({ hash: hashKey(key) }))
    if (made === null) throw new Error('a key is gone that was just made')
    return made
  }

  answerConsoleCall(app, calls.listKeys, async (request) => {
    const { merchant } = shopOf(request)
    const now = clock.now()
    const listed = listedKeys(await keysOfMerchant(database, merchant.id), now)
    return { items: listed.map((key) => presentKey(key, merchant, now)) }
  })

  answerConsoleCall(app, calls.createKey, async (request) => {
    const { mode, access, name: given, expiresAt } = request.body
    const name = given === undefined ? null : readName(given)
    if (name !== null && typeof name !== 'string') return name
    const expiry = readExpiry(expiresAt, clock.now())
    if (isRefusal(expiry)) return expiry
    const made = await changeKeys(request, 'key_created', async (sql, merchant, now) => {
      const refused = await refuseNewKey(sql, merchant, now)
      if (refused !== null) return refused
      const { key } = await createKey(sql, deps, { merchantId: merchant.id, mode, access, name, ...expiry })
      return { key, changed: await findMade(sql, key) }
    })
    return isRefusal(made)
      ? made
      : { ...presentKey(made.changed, shopOf(request).merchant, clock.now()), key: made.key }
  })

  answerConsoleCall(app, calls.rollKey, async (request) => {
    const expiry = readExpiry(request.body.expiresAt, clock.now())
    if (isRefusal(expiry)) return expiry
    const made = await changeKeys(request, 'key_rolled', async (sql, merchant, now) => {
      const old = await ownKey(sql, merchant, request.params.keyId)
      if (isRefusal(old)) return old
      if (hasEnded(old, now)) return refuse('key_not_found', {}, 'This key has ended. Make a new one.')
      if (old.expiresAt !== null && expiry.expiresAt === null)
        return refuseField('expiresAt', 'is missing. The old key ends by itself: say when the new one does.')
      const refused = await refuseNewKey(sql, merchant, now)
      if (refused !== null) return refused
      const { key, oldEndsAt } = await rollKey(sql, deps, old, expiry.expiresAt)
      return { key, oldEndsAt, changed: await findMade(sql, key) }
    })
    if (isRefusal(made)) return made
    const { key, oldEndsAt, changed } = made
    return { ...presentKey(changed, shopOf(request).merchant, clock.now()), key, oldExpiresAt: iso(oldEndsAt) }
  })

  answerConsoleCall(app, calls.revokeKey, async (request) => {
    const revoked = await changeKeys(request, 'key_revoked', async (sql, merchant) => {
      const key = await ownKey(sql, merchant, request.params.keyId)
      return isRefusal(key) ? key : { changed: await revokeKey(sql, deps, key) }
    })
    return isRefusal(revoked) ? revoked : presentKey(revoked.changed, shopOf(request).merchant, clock.now())
  })
}
