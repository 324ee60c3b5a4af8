/** Key commands: create, list, roll and revoke API keys. A key is shown once, when it is made. */
import { KEY_ACCESSES, isKeyAccess, isMerchantMode, MERCHANT_MODES } from '#contract/access.ts'
import { KEY_NAME_MAX_LENGTH } from '#contract/console/keys.ts'
import { parseDeadline, type Instant } from '#contract/jst.ts'
import { nameProblem } from '#payment/entered-name.ts'
import { createKey, keyState, revokeKey, rollKey } from '../operations/api-keys.ts'
import { findAccount, type StoredAccount } from '../store/merchant/acquirer-accounts.ts'
import { findKey, hashKey, isKeyId, keyIdOf, keysOfMerchant, type ApiKey } from '../store/merchant/keys.ts'
import { listMerchants, type ListedMerchant } from '../store/merchant/merchants.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem, type Given } from './command.ts'
import {
  namedMerchant,
  withOperatorDependencies,
  type OperatorDependencies,
  withConfirmedClock,
  unreadableShop,
} from './operator-database.ts'
import { dayText, factLines, instantText, tableLines, timeText } from './table.ts'

const factsOf = (key: ApiKey, merchant: ListedMerchant, now: Instant) => ({
  id: keyIdOf(key),
  merchant: merchant.label,
  mode: key.mode,
  access: key.access,
  name: key.name,
  hint: key.hint,
  state: keyState(key, merchant, now),
  createdAt: instantText(key.createdAt),
  lastUsedAt: instantText(key.lastUsedAt),
  expiresAt: instantText(key.expiresAt),
  revokedAt: instantText(key.revokedAt),
})

const closedProblem = (label: string): string =>
  `The merchant "${label}" is closed: a key of it opens nothing. Open another shop: ${PROGRAM} merchant create --help`

/** Where the key is live and no account of the merchant has passed its check. */
const liveNote = (account: StoredAccount | null, { label }: ListedMerchant): string => {
  const next = `acquirer ${account === null ? 'set' : 'check'} --merchant ${label} --mode live`
  return `Every call with this key is answered 401 until its acquirer account has passed the check: ${PROGRAM} ${next}`
}

const SHOWN_ONCE = 'The key is shown this once. Store it where your server finds it, and nowhere else.'

/** When a key is to end; null: never. */
const expiryOf = (given: Given, now: Instant): { readonly expiresAt: Instant | null } | CommandProblem => {
  const text = given.textOrNull('expires')
  if (text === null) return { expiresAt: null }
  const expiresAt = parseDeadline(text)
  if (expiresAt === undefined)
    return { problem: '--expires is no time: give a date such as 2027-03-31 or 2027-03-31T18:00:00+09:00.' }
  return expiresAt <= now ? { problem: '--expires is in the past: give a later time.' } : { expiresAt }
}

const EXPIRES = {
  value: '<time>',
  help: 'when it ends: 2027-03-31 is the end of that day in Japan; left out, never',
} as const

const nameOf = (given: Given): { readonly name: string | null } | CommandProblem => {
  const text = given.textOrNull('name')
  if (text === null) return { name: null }
  const problem =
    text.length > KEY_NAME_MAX_LENGTH ? `is longer than ${KEY_NAME_MAX_LENGTH} characters.` : nameProblem(text)
  return problem === undefined ? { name: text.trim() } : { problem: `--name ${problem}` }
}

const merchantOf = async ({ database }: OperatorDependencies, { merchantId }: ApiKey): Promise<ListedMerchant> => {
  const merchant = (await listMerchants(database, () => undefined)).find(({ id }) => id === merchantId)
  if (merchant === undefined) throw new Error('a key has no merchant whose settings can be read')
  return merchant
}

/** The key that the operator names. A key itself is not quoted: the line may end in somebody's notes. */
const namedKey = async ({ database }: OperatorDependencies, id: string): Promise<ApiKey | CommandProblem> => {
  const see = `${PROGRAM} key list shows the ids of all keys`
  if (id.startsWith('sk_')) return { problem: `This is a key, and its id is needed: ${see}.` }
  if (!isKeyId(id)) return { problem: `"${id}" is no id of a key, which has 16 of 0 to 9 and a to f: ${see}.` }
  return (await findKey(database, id)) ?? { problem: `There is no key with the id ${id}: ${see}.` }
}

export const keyCreate: Command = {
  summary: 'makes an API key and prints it, once',
  options: {
    merchant: { value: '<label>', help: 'whose key', isRequired: true },
    mode: { value: MERCHANT_MODES.join('|'), help: 'the mode of its checkouts', isRequired: true },
    access: {
      value: KEY_ACCESSES.toReversed().join('|'),
      help: 'full: all; sales: no refunds, settings, webhooks; read: reads alone',
      isRequired: true,
    },
    name: { value: '<text>', help: 'what you call it, such as the program that uses it' },
    expires: EXPIRES,
  },
  example: 'key create --merchant tea --mode test --access full --name "web shop"',
  run: async (given, env) => {
    const [mode, access] = [given.text('mode'), given.text('access')]
    if (!isMerchantMode(mode)) return { problem: `--mode is "${mode}": give ${MERCHANT_MODES.join(' or ')}.` }
    if (!isKeyAccess(access)) return { problem: `--access is "${access}": give ${KEY_ACCESSES.join(', ')}.` }
    const named = nameOf(given)
    if (isProblem(named)) return named
    const { name } = named
    return withConfirmedClock(env, async (deps) => {
      const now = deps.clock.now()
      const expiry = expiryOf(given, now)
      if (isProblem(expiry)) return expiry
      const merchant = await namedMerchant(deps.database, given.text('merchant'))
      if (isProblem(merchant)) return merchant
      if (merchant.closedAt !== null) return { problem: closedProblem(merchant.label) }
      const { key } = await deps.database.transact((sql) =>
        createKey(sql, deps, { merchantId: merchant.id, mode, access, name, ...expiry }),
      )
      const id = keyIdOf({ hash: hashKey(key) })
      const { expiresAt } = expiry
      const facts = { key, id, merchant: merchant.label, mode, access, name, expiresAt: instantText(expiresAt) }
      const api = `${deps.config.publicBase.origin}/merchant/v1`
      const lines = factLines({ ...facts, expiresAt: timeText(expiresAt), api })
      const account = await findAccount(deps.database, { merchantId: merchant.id, mode })
      const isUsable = mode === 'test' || (account !== null && account.checkedAt !== null)
      return { value: facts, lines: [...lines, SHOWN_ONCE, ...(isUsable ? [] : [liveNote(account, merchant)])] }
    })
  },
}

/** Days alone, and not when it was made: the rest is in --json. */
const LIST_COLUMNS = ['id', 'merchant', 'mode', 'access', 'name', 'hint', 'state', 'last used JST', 'expires JST']

export const keyList: Command = {
  summary: 'lists API keys: who has them, what they may do, when they were last used',
  options: { merchant: { value: '<label>', help: 'of this merchant alone' } },
  example: 'key list --merchant tea',
  run: (given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const label = given.textOrNull('merchant')
      const wanted = label === null ? null : await namedMerchant(deps.database, label)
      if (wanted !== null && isProblem(wanted)) return wanted
      const unreadable: string[] = []
      const merchants =
        wanted === null
          ? await listMerchants(deps.database, (row) => void unreadable.push(unreadableShop(row)))
          : [wanted]
      const now = deps.clock.now()
      const listed: { readonly merchant: ListedMerchant; readonly key: ApiKey }[] = []
      for (const merchant of merchants)
        listed.push(...(await keysOfMerchant(deps.database, merchant.id)).map((key) => ({ merchant, key })))
      const rows = listed.map(({ merchant, key }) => [
        keyIdOf(key),
        merchant.label,
        key.mode,
        key.access,
        key.name,
        key.hint === null ? null : `…${key.hint}`,
        keyState(key, merchant, now),
        dayText(key.lastUsedAt),
        dayText(key.expiresAt),
      ])
      return {
        value: {
          items: listed.map(({ merchant, key }) => factsOf(key, merchant, now)),
          ...(unreadable.length === 0 ? {} : { unreadable }),
        },
        lines:
          rows.length === 0 && unreadable.length === 0
            ? [`No key yet: ${PROGRAM} ${keyCreate.example}`]
            : [...tableLines(LIST_COLUMNS, rows, { shorten: ['name', 'merchant'] }), ...unreadable],
      }
    }),
}

export const keyRoll: Command = {
  summary: 'makes a new key that may do the same; the old one works for another 24 hours',
  places: ['id'],
  options: { expires: EXPIRES },
  example: 'key roll 3f9c1b2a7d604e58',
  run: (given, env) =>
    withConfirmedClock(env, async (deps) => {
      const old = await namedKey(deps, given.text('id'))
      if (isProblem(old)) return old
      const now = deps.clock.now()
      const merchant = await merchantOf(deps, old)
      const state = keyState(old, merchant, now)
      if (state === 'merchant closed') return { problem: closedProblem(merchant.label) }
      if (state !== 'active')
        return { problem: `This key is ${state} and cannot be rolled: ${PROGRAM} ${keyCreate.example}` }
      const expiry = expiryOf(given, now)
      if (isProblem(expiry)) return expiry
      if (old.expiresAt !== null && expiry.expiresAt === null)
        return { problem: `This key ends at ${timeText(old.expiresAt)}: say when the new one ends, with --expires.` }
      const { key, oldEndsAt } = await deps.database.transact((sql) => rollKey(sql, deps, old, expiry.expiresAt))
      const facts = {
        key,
        id: keyIdOf({ hash: hashKey(key) }),
        merchant: merchant.label,
        expiresAt: instantText(expiry.expiresAt),
        oldId: keyIdOf(old),
        oldExpiresAt: instantText(oldEndsAt),
      }
      const times = { expiresAt: timeText(expiry.expiresAt), oldExpiresAt: timeText(oldEndsAt) }
      return { value: facts, lines: [...factLines({ ...facts, ...times }), SHOWN_ONCE] }
    }),
}

export const keyRevoke: Command = {
  summary: 'ends a key at once',
  places: ['id'],
  example: 'key revoke 3f9c1b2a7d604e58',
  run: (given, env) =>
    withOperatorDependencies(env, async (deps) => {
      const key = await namedKey(deps, given.text('id'))
      if (isProblem(key)) return key
      const revoked = await deps.database.transact((sql) => revokeKey(sql, deps, key))
      const facts = factsOf(revoked, await merchantOf(deps, key), deps.clock.now())
      const line = `The key ${facts.id} of ${facts.merchant} is revoked since ${timeText(facts.revokedAt)}.`
      return { value: facts, lines: [line] }
    }),
}
