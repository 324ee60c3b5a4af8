/** Accounts at acquirers: opened once for each merchant and mode, and anew when they were set again. */
import type { Gateway } from '#payment/ports.ts'
import { scopeName, type AccountRef } from '#payment/references.ts'
import { takenCards, type TakenCards } from '#payment/start-payment.ts'
import type { Config } from '../config/config.ts'
import type { AcquirerAccount, Elapsed, Gateways } from '../dependencies.ts'
import type { Log } from '../log.ts'
import type { Sealing } from '../config/sealed.ts'
import { UnreadableRow } from '../store/engine/columns.ts'
import type { Sql } from '../store/engine/database.ts'
import { findAccount, listAccounts, openSealed, type StoredAccount } from '../store/merchant/acquirer-accounts.ts'
import { merchantIds } from '../store/merchant/merchants.ts'
import type { NotifiedAccount } from './adyen/parse-notification.ts'
import { threeDSCredentialsFor, type ThreeDSAccount } from '../three-ds/account-credentials.ts'
import type { ThreeDSCredentialsOf } from '../three-ds/active-server/three-ds-server.ts'
import {
  storedCredentials,
  type AccountProblem,
  type AcquirerCredentials,
  type AdyenCredentials,
  type StripeCredentials,
} from './credentials.ts'
import { gatewayNotConfigured } from './not-configured.ts'

/** An account with its credentials in the clear: in memory alone. */
export interface OpenedAccount<Credentials = AcquirerCredentials> extends AccountRef {
  /** The label of its merchant. */
  readonly label: string
  /** Null: the acquirer's own address. */
  readonly apiBase: string | null
  readonly credentials: Credentials
}

/** Looks whether the account can charge, refund and be asked: one line for each thing that is wrong; none: all is well. */
export type CheckAccount<Credentials> = (account: OpenedAccount<Credentials>) => Promise<readonly AccountProblem[]>

/** What an acquirer's adapter gives. */
export interface AcquirerAdapter<Credentials> {
  open(account: OpenedAccount<Credentials>): Gateway
  readonly checkAccount: CheckAccount<Credentials>
}

/** One of each kind. */
export interface AcquirerAdapters {
  readonly stripe: AcquirerAdapter<StripeCredentials>
  readonly adyen: AcquirerAdapter<AdyenCredentials>
}

export const openGatewayOf = (adapters: AcquirerAdapters, { credentials, ...account }: OpenedAccount): Gateway =>
  credentials.kind === 'stripe'
    ? adapters.stripe.open({ ...account, credentials })
    : adapters.adyen.open({ ...account, credentials })

/** An adapter that throws cannot be used. Its message is not kept: it may hold a credential. */
const openOrNull = (adapters: AcquirerAdapters, account: OpenedAccount): Gateway | null => {
  try {
    return openGatewayOf(adapters, account)
  } catch {
    return null
  }
}

export const checkOpened = (
  adapters: AcquirerAdapters,
  { credentials, ...account }: OpenedAccount,
): Promise<readonly AccountProblem[]> =>
  credentials.kind === 'stripe'
    ? adapters.stripe.checkAccount({ ...account, credentials })
    : adapters.adyen.checkAccount({ ...account, credentials })

/** Null: it does not open with the secret keys at hand, or holds something else. */
export const openAccount = (
  sealing: Sealing,
  row: StoredAccount,
): { readonly account: OpenedAccount; readonly threeDS: ThreeDSAccount } | null => {
  const opened = openSealed(sealing, row)
  const credentials = opened === null ? null : storedCredentials(row.kind, opened.credentials)
  if (opened === null || credentials === null) return null
  const { merchantId, mode, label, apiBase, threeDSMerchantId } = row
  const own = threeDSMerchantId === null ? null : { merchantId: threeDSMerchantId, merchantToken: opened.threeDSToken }
  return { account: { merchantId, mode, label, apiBase, credentials }, threeDS: { mode, apiBase, own } }
}

const notifiedOf = ({ merchantId, mode, credentials }: OpenedAccount): NotifiedAccount | null =>
  credentials.kind === 'adyen' ? { merchantId, mode, account: { ...credentials, mode } } : null

const KEPT_MS = 1000
/** More accounts than are busy in the same second. */
export const KEPT_ACCOUNTS_MAX = 500

export interface AccountsDependencies {
  readonly sql: Sql
  readonly elapsed: Elapsed
  readonly log: Log
  readonly sealing: Sealing
  readonly adapters: AcquirerAdapters
  /** The sandbox's, with its circuit breaker around it; null: there is no sandbox. One for the tests of all merchants. */
  readonly sandbox: Gateway | null
  /** Puts a circuit breaker of its own around an account's gateway. */
  readonly wrap: (gateway: Gateway, account: AccountRef) => Gateway
  readonly config: Pick<Config, 'threeDS' | 'publicBase'>
}

/** An account as it was last read. */
interface Reading {
  /** Null: there is no row, or it cannot be read. */
  readonly setAt: number | null
  /** Why its row cannot be read; null: it can, or there is none. */
  readonly unreadable: string | null
  readonly gateway: Gateway
  readonly taken: TakenCards
  /** Null: there is no account, or it does not open. */
  readonly threeDS: ThreeDSAccount | null
  /** Null: it is no account at Adyen, which alone sends notifications. */
  readonly notified: NotifiedAccount | null
}

const NO_ROW = { setAt: null, unreadable: null, threeDS: null, notified: null } as const

interface Accounts {
  readonly gateways: Gateways
  readonly threeDSCredentialsOf: ThreeDSCredentialsOf
  /** The account that a notification must be signed for; null: there is none. */
  notifiedAccount(account: AccountRef): Promise<NotifiedAccount | null>
}

/**
 * What was read is used for a second, also that there is no account. One that was set again is opened anew; any other keeps its
 * gateway, or its circuit breaker would forget every second what it has counted. The time is not the wall clock, which may be
 * set back.
 */
export const createGateways = (deps: AccountsDependencies): Accounts => {
  const { sql, elapsed, log, sealing, adapters, sandbox, wrap, config } = deps
  /** By last use: the first is idle for longest. */
  const kept = new Map<string, { readonly reading: Promise<Reading>; readonly until: number }>()

  const open = (row: StoredAccount): Reading => {
    const opened = openAccount(sealing, row)
    const gateway = opened === null ? null : openOrNull(adapters, opened.account)
    const facts = { setAt: row.setAt, unreadable: null, taken: takenCards(row.mode, row.apiBase) }
    if (opened !== null && gateway !== null)
      return { ...facts, gateway: wrap(gateway, row), threeDS: opened.threeDS, notified: notifiedOf(opened.account) }
    log.alarm('an acquirer account does not open', {
      merchant: row.merchantId,
      why: `${row.mode} account of ${row.kind}: set it again, or start with the secret key that sealed it`,
    })
    return { ...facts, gateway: gatewayNotConfigured, threeDS: null, notified: null }
  }
  /** Of the same kind as one that does not open: what is asked of it stays unknown, and nothing is charged. */
  const unreadable = ({ merchantId: merchant, mode }: AccountRef, why: string, earlier?: Reading): Reading => {
    if (earlier?.unreadable === why) return earlier
    log.alarm('an acquirer account does not open', { merchant, why: `${mode} account: ${why}: set it again` })
    return { ...NO_ROW, unreadable: why, gateway: gatewayNotConfigured, taken: takenCards(mode, null) }
  }
  const read = async (ref: AccountRef, before: Promise<Reading> | undefined): Promise<Reading> => {
    const row = await findAccount(sql, ref).catch((error: unknown) => {
      if (error instanceof UnreadableRow) return error
      throw error
    })
    if (row instanceof UnreadableRow) return unreadable(ref, row.message, await before?.catch(() => undefined))
    // Only a test may go without an account: pretend money must never pay a live checkout.
    const absent = ref.mode === 'test' ? (sandbox ?? gatewayNotConfigured) : gatewayNotConfigured
    if (row === null) return { ...NO_ROW, gateway: absent, taken: takenCards(ref.mode, null) }
    const earlier = await before?.catch(() => undefined)
    return earlier?.setAt === row.setAt ? earlier : open(row)
  }
  const recent = async (ref: AccountRef): Promise<Reading> => {
    const key = scopeName(ref)
    const before = kept.get(key)
    // Moves it to the end of the map.
    kept.delete(key)
    if (before !== undefined && elapsed() < before.until) {
      kept.set(key, before)
      return before.reading
    }
    const [idle] = kept.keys()
    if (idle !== undefined && kept.size >= KEPT_ACCOUNTS_MAX) kept.delete(idle)
    const reading = read(ref, before?.reading)
    // Shared by all who ask meanwhile: opened twice, an account would have two circuit breakers. From before the read: the row may be older than its answer.
    const entry = { reading, until: elapsed() + KEPT_MS }
    kept.set(key, entry)
    try {
      return await reading
    } catch (error) {
      // The database did not answer: the next call reads again, and finds the gateway of before.
      if (kept.get(key) === entry) {
        if (before === undefined) kept.delete(key)
        else kept.set(key, { ...before, until: 0 })
      }
      throw error
    }
  }
  const of: Gateways['of'] = async (account) => (await recent(account)).gateway

  /**
   * Merchants with the same credentials have one account: its statement lists the money of all of them. One that does not open,
   * or whose row cannot be read, is listed too: left out, a comparison would seem complete.
   */
  const accounts: Gateways['accounts'] = async () => {
    const { accounts: rows, unreadable: broken } = await listAccounts(sql)
    const bySecrets = new Map<string, AcquirerAccount>()
    for (const row of rows) {
      const opened = openAccount(sealing, row)
      const secrets = opened === null ? scopeName(row) : JSON.stringify([row.apiBase, opened.account.credentials])
      const shared = bySecrets.get(secrets)
      const { merchantId, mode } = row
      const scopes = [...(shared?.scopes ?? []), { merchantId, mode }]
      bySecrets.set(secrets, { gateway: shared?.gateway ?? (await of(row)), scopes })
    }
    const unread = broken.map(({ merchantId, mode }) => ({
      gateway: gatewayNotConfigured,
      scopes: [{ merchantId, mode }],
    }))
    const hasAccount = new Set(
      [...rows, ...broken].flatMap(({ mode, merchantId }) => (mode === 'test' ? [merchantId] : [])),
    )
    const others = (await merchantIds(sql)).filter((id) => !hasAccount.has(id))
    const scopes = others.map((merchantId) => ({ merchantId, mode: 'test' }) as const)
    return [...(sandbox === null ? [] : [{ gateway: sandbox, scopes }]), ...bySecrets.values(), ...unread]
  }

  return {
    gateways: {
      of,
      // A test takes test cards wherever its account is: it costs no reading.
      takenCards: async (account) => (account.mode === 'test' ? 'test' : (await recent(account)).taken),
      accounts,
    },
    threeDSCredentialsOf: async (account) =>
      threeDSCredentialsFor(account.mode, (await recent(account)).threeDS, config),
    notifiedAccount: async (account) => (await recent(account)).notified,
  }
}
