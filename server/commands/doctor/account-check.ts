/** Account check: every account at an acquirer: its kind, mode, address, last check, and whether it answers now. */
import { ACQUIRER_LIMITS, type AcquirerKind } from '#payment/acquirer-limits.ts'
import type { Clock, Gateway, Readiness } from '#payment/ports.ts'
import type { Config } from '../../config/config.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import { createSealing } from '../../config/sealed.ts'
import { readSecretKeys } from '../../config/secret-key.ts'
import { openAccount, openGatewayOf } from '../../gateways/accounts.ts'
import { createAcquirerAdapters } from '../../gateways/adapters.ts'
import type { Sql } from '../../store/engine/database.ts'
import { listAccounts, type StoredAccount, type UnreadableAccount } from '../../store/merchant/acquirer-accounts.ts'
import { minuteText } from '../table.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

/** `sealed`: it does not open with the secret key at hand. `not asked`: its acquirer has no call for it, or there are too many. */
export type AccountReadiness = Readiness | 'sealed' | 'not asked'

export interface AccountFacts extends Pick<
  StoredAccount,
  'label' | 'mode' | 'kind' | 'apiBase' | 'checkedAt' | 'checkProblems'
> {
  readonly readiness: AccountReadiness
}

type BrokenAccount = Pick<UnreadableAccount, 'label' | 'mode' | 'why'>

const READINESS_WORDS: Readonly<Record<AccountReadiness, string>> = {
  ready: 'answers',
  refused: 'nobody answers at its address',
  forbidden: 'does not take the key',
  silent: 'does not answer in time',
  sealed: 'does not open with this secret key',
  'not asked': 'not asked',
}

const checkWords = ({ checkedAt, checkProblems, mode }: AccountFacts): string => {
  const passed = minuteText(checkedAt)
  if (checkProblems !== null) return 'its last check found something'
  if (passed !== null) return `passed its check ${passed}`
  return mode === 'live' ? 'has not passed its check, so that live keys are refused' : 'not checked'
}

const wordsOf = (account: AccountFacts): string => {
  const { label, mode, kind, apiBase, readiness } = account
  const host = apiBase === null ? '' : ` at ${new URL(apiBase).host}`
  return `${label} ${mode}, ${ACQUIRER_LIMITS[kind].name}${host}: ${checkWords(account)}; ${READINESS_WORDS[readiness]}`
}

const isBroken = ({ readiness }: AccountFacts): boolean =>
  readiness === 'sealed' || readiness === 'forbidden' || readiness === 'refused'
const isDoubtful = ({ mode, checkedAt, checkProblems, readiness }: AccountFacts): boolean =>
  checkProblems !== null || readiness === 'silent' || (mode === 'live' && checkedAt === null)

const NAMED_MAX = 10

const listed = (accounts: readonly AccountFacts[]): string => {
  const more = accounts.length - NAMED_MAX
  return [...accounts.slice(0, NAMED_MAX).map(wordsOf), ...(more > 0 ? [`and ${more} more`] : [])].join('. ')
}

/** What is wrong is named first, and alone. */
export const judgeAccounts = (
  accounts: readonly AccountFacts[],
  unreadable: readonly BrokenAccount[] = [],
): Finding => {
  const [unread] = unreadable
  if (unread !== undefined)
    return fail(
      `${unread.label} ${unread.mode}: its row cannot be read (${unread.why})${unreadable.length > 1 ? `, and ${unreadable.length - 1} more` : ''}`,
      `${COMMAND_NAMES.program} acquirer set --merchant … --mode …, or start the release that reads it.`,
    )
  if (accounts.length === 0) return ok('none: no shop takes real money')
  const mend = `${COMMAND_NAMES.program} acquirer check --merchant … --mode …, which says what to mend.`
  const broken = accounts.filter(isBroken)
  if (broken.length > 0) return fail(listed(broken), mend)
  const doubtful = accounts.filter(isDoubtful)
  return doubtful.length > 0 ? warn(listed(doubtful), mend) : ok(listed(accounts))
}

/** Adyen has no call that shows nothing but whether it is there. */
const HAS_READY_CALL: Readonly<Record<AcquirerKind, boolean>> = { stripe: true, adyen: false }
/** At once, of two seconds each: more would take longer than doctor has. */
const ASKED_MAX = 50

export interface AccountOutside {
  /** The gateway of an account; null: it does not open. */
  readonly gatewayOf: (account: StoredAccount) => Pick<Gateway, 'ready'> | null
}

export const readAccounts = async (
  sql: Sql,
  { gatewayOf }: AccountOutside,
): Promise<{ readonly accounts: readonly AccountFacts[]; readonly unreadable: readonly BrokenAccount[] }> => {
  const readinessOf = async (account: StoredAccount, at: number): Promise<AccountReadiness> => {
    const gateway = gatewayOf(account)
    if (gateway === null) return 'sealed'
    return HAS_READY_CALL[account.kind] && at < ASKED_MAX ? gateway.ready() : 'not asked'
  }
  const { accounts, unreadable } = await listAccounts(sql)
  const asked = accounts.map(async (account, at) => ({ ...account, readiness: await readinessOf(account, at) }))
  return { accounts: await Promise.all(asked), unreadable }
}

/** The accounts as the server opens them. Without a secret key none opens. */
export const openAccountOutside = async (
  config: Config,
  sql: Sql,
  clock: Pick<Clock, 'now'>,
): Promise<AccountOutside> => {
  const reading = await readSecretKeys(config)
  const sealing = createSealing('problem' in reading ? [] : reading.keys)
  const { gatewayTimeoutMs, publicBase } = config
  const adapters = createAcquirerAdapters({ gatewayTimeoutMs, publicBase, clock, sql })
  return {
    gatewayOf: (row) => {
      const opened = openAccount(sealing, row)
      return opened === null ? null : openGatewayOf(adapters, opened.account)
    },
  }
}
