/** Routes of the console that list, make, roll and revoke the API keys of a shop. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { mayCall } from '#contract/access.ts'
import type { AuditAction } from '#contract/console/audit.ts'
import * as calls from '#contract/console/keys.ts'
import { ROLE_ACCESS } from '#contract/console/roles.ts'
import { isRefusal, refuse, refuseField, type Refusal } from '#contract/errors.ts'
import { DAY_MS, parseDeadline, type Instant } from '#contract/jst.ts'
import { iso, when } from '#payment/merchant-view.ts'
import {
  createKey,
  keyState,
  revokeKey,
  rollKey,
  type BesideKeyChange,
  type KeyState,
} from '../../operations/api-keys.ts'
import { isOneLine } from '../../operations/people/entered-person.ts'
import { findKey, hashKey, isKeyId, keyIdOf, keysOfMerchant, type ApiKey } from '../../store/merchant/keys.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import { insertAuditLine } from '../../store/people/audit.ts'
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

  /** The audit line of a change, in the transaction of the change. */
  const audited =
    (request: FastifyRequest, action: AuditAction, { mode, access, name }: Pick<ApiKey, 'mode' | 'access' | 'name'>) =>
    (...[sql, keyId, at]: Parameters<BesideKeyChange>): Promise<void> =>
      insertAuditLine(sql, {
        id: random.id(),
        merchantId: shopOf(request).merchant.id,
        mode,
        at,
        person: signedInOf(request).person,
        action,
        subject: keyId,
        details: [access, ...(name === null ? [] : [name])].join(', '),
      })

  const ownKey = async (request: FastifyRequest, keyId: string): Promise<ApiKey | Refusal> => {
    const key = isKeyId(keyId) ? await findKey(database, keyId) : null
    return key === null || key.merchantId !== shopOf(request).merchant.id ? refuse('key_not_found') : key
  }

  /** Why no key can be made now. By a wrong clock one would end at a wrong time. */
  const refuseNewKey = async ({ id, closedAt }: Merchant, now: Instant): Promise<Refusal | null> => {
    if (closedAt !== null) return refuse('shop_closed')
    if (!clockCheck.isConfirmed())
      return refuse('unavailable', {}, 'The clock of the server is not confirmed: nothing was done.')
    return hasTooManyKeys(await keysOfMerchant(database, id), now)
      ? refuse('too_many_keys', { most: calls.KEYS_MAX })
      : null
  }

  const presentNew = async (key: string, merchant: Merchant): Promise<calls.KeyAnswer & { readonly key: string }> => {
    const made = await findKey(database, keyIdOf({ hash: hashKey(key) }))
    if (made === null) throw new Error('a key is gone that was just made')
    return { ...presentKey(made, merchant, clock.now()), key }
  }

  answerConsoleCall(app, calls.listKeys, async (request) => {
    const { merchant } = shopOf(request)
    const now = clock.now()
    const listed = listedKeys(await keysOfMerchant(database, merchant.id), now)
    return { items: listed.map((key) => presentKey(key, merchant, now)) }
  })

  answerConsoleCall(app, calls.createKey, async (request) => {
    const { merchant, role } = shopOf(request)
    const { mode, access, name = null, expiresAt } = request.body
    // Nobody can give a program more than they have themselves.
    if (!mayCall(ROLE_ACCESS[role], access)) return refuse('role_not_allowed', { needed: 'owner' })
    if (name !== null && (name.trim() === '' || !isOneLine(name))) return refuseField('name', 'must be one line.')
    const now = clock.now()
    const expiry = readExpiry(expiresAt, now)
    if (isRefusal(expiry)) return expiry
    const refused = await refuseNewKey(merchant, now)
    if (refused !== null) return refused
    const facts = { merchantId: merchant.id, mode, access, name, ...expiry }
    const { key } = await createKey(deps, facts, audited(request, 'key_created', facts))
    return presentNew(key, merchant)
  })

  answerConsoleCall(app, calls.rollKey, async (request) => {
    const { merchant } = shopOf(request)
    const old = await ownKey(request, request.params.keyId)
    if (isRefusal(old)) return old
    const now = clock.now()
    if (hasEnded(old, now)) return refuse('key_not_found', {}, 'This key has ended. Make a new one.')
    const expiry = readExpiry(request.body.expiresAt, now)
    if (isRefusal(expiry)) return expiry
    if (old.expiresAt !== null && expiry.expiresAt === null)
      return refuseField('expiresAt', 'is missing. The old key ends by itself: say when the new one does.')
    const refused = await refuseNewKey(merchant, now)
    if (refused !== null) return refused
    const { key, oldEndsAt } = await rollKey(deps, old, expiry.expiresAt, audited(request, 'key_rolled', old))
    return { ...(await presentNew(key, merchant)), oldExpiresAt: iso(oldEndsAt) }
  })

  answerConsoleCall(app, calls.revokeKey, async (request) => {
    const key = await ownKey(request, request.params.keyId)
    if (isRefusal(key)) return key
    const revoked = await revokeKey(deps, key, audited(request, 'key_revoked', key))
    return presentKey(revoked, shopOf(request).merchant, clock.now())
  })
}
