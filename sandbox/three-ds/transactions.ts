/** Store of 3-D Secure transactions: in memory, shared by the 3-D Secure server and the bank. */
import { randomUUID } from 'node:crypto'
import { threeDSScenarioOf } from '../cards/cards.ts'
import type { ChallengeKind, CollectingBehaviour, ThreeDSScenario } from '../cards/scenarios.ts'
import { challengeVerdict, type ChallengeOutcome, type Verdict } from './verdicts.ts'

/** Clock and time scale of the simulated durations. */
export interface Timing {
  now(): number
  /** A duration at the time scale, but never below a second: browsers do not keep shorter timeouts reliably. */
  scale(durationMs: number): number
}

export interface InitFields {
  readonly number: string
  readonly merchantId: string
  readonly requestorTransId: string
  readonly eventUrl: string
  readonly windowSize: WindowSize
}

export const WINDOW_SIZES = ['01', '02', '03', '04', '05'] as const
export type WindowSize = (typeof WINDOW_SIZES)[number]

export interface Purchase {
  readonly amount: string
  readonly merchantName: string
  readonly language: string
  readonly messageVersion: string
}

interface Challenge {
  readonly purchase: Purchase
  readonly challenge: ChallengeKind
  readonly dueAt: number
}

export type TransactionState =
  | { readonly at: 'started'; readonly collected: boolean }
  | ({ readonly at: 'challenge_offered' } & Challenge)
  | ({ readonly at: 'challenge_open'; readonly attemptsLeft: number } & Challenge)
  | { readonly at: 'decided'; readonly purchase: Purchase; readonly verdict: Verdict }

export type ChallengeState = Extract<TransactionState, { at: 'challenge_offered' | 'challenge_open' }>

export interface Transaction {
  readonly serverTransId: string
  readonly acsTransId: string
  readonly dsTransId: string
  readonly init: InitFields
  readonly scenario: ThreeDSScenario
  state: TransactionState
  /** Whether a fault that is injected once has been. */
  hasFailedOnce: boolean
  lastUsedAt: number
}

export interface TransactionStore {
  start(init: InitFields): Transaction
  /** The transaction as it is now: timeouts that are due have been applied. */
  find(serverTransId: string): Transaction | undefined
  findByAcsTransId(acsTransId: string): Transaction | undefined
}

const TRANSACTION_KEPT_MS = 15 * 60_000
const FIRST_CREQ_TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 10 * 60_000
const NEVER_FINISHES_TIMEOUT_MS = 30_000
const APP_APPROVAL_MS = 10_000

/** EMV gives the 3DS method ten seconds. */
export const METHOD_TIMEOUT_MS = 10_000

export const createTransactionStore = ({ now }: Timing): TransactionStore => {
  const byServerTransId = new Map<string, Transaction>()
  const byAcsTransId = new Map<string, Transaction>()

  const removeExpired = (): void => {
    for (const { serverTransId, acsTransId, lastUsedAt } of byServerTransId.values()) {
      if (now() - lastUsedAt < TRANSACTION_KEPT_MS) continue
      byServerTransId.delete(serverTransId)
      byAcsTransId.delete(acsTransId)
    }
  }

  const withTimeoutApplied = (transaction: Transaction | undefined): Transaction | undefined => {
    if (transaction === undefined || now() - transaction.lastUsedAt >= TRANSACTION_KEPT_MS) return undefined
    transaction.lastUsedAt = now()
    applyTimeout(transaction, now())
    return transaction
  }

  return {
    start: (init) => {
      removeExpired()
      const transaction: Transaction = {
        serverTransId: randomUUID(),
        acsTransId: randomUUID(),
        dsTransId: randomUUID(),
        init,
        scenario: threeDSScenarioOf(init.number),
        state: { at: 'started', collected: false },
        hasFailedOnce: false,
        lastUsedAt: now(),
      }
      byServerTransId.set(transaction.serverTransId, transaction)
      byAcsTransId.set(transaction.acsTransId, transaction)
      return transaction
    },
    find: (serverTransId) => withTimeoutApplied(byServerTransId.get(serverTransId)),
    findByAcsTransId: (acsTransId) => withTimeoutApplied(byAcsTransId.get(acsTransId)),
  }
}

const applyTimeout = (transaction: Transaction, now: number): void => {
  const { state } = transaction
  if (state.at === 'challenge_offered' && state.dueAt <= now) endChallenge(transaction, 'not_opened')
  if (state.at === 'challenge_open' && state.dueAt <= now) {
    endChallenge(transaction, state.challenge === 'out_of_band' ? 'approved_in_app' : 'idle')
  }
}

/** A challenge ends once: what comes later changes nothing. */
export const endChallenge = (transaction: Transaction, outcome: ChallengeOutcome): void => {
  const { state, init } = transaction
  if (state.at !== 'challenge_offered' && state.at !== 'challenge_open') return
  const { purchase } = state
  transaction.state = { at: 'decided', purchase, verdict: challengeVerdict(init.number, outcome) }
}

export const offerChallenge = (
  transaction: Transaction,
  purchase: Purchase,
  challenge: ChallengeKind,
  { now, scale }: Timing,
): void => {
  // Scaled only for a challenge that cannot open, for which this timeout is the end. For any other it stays at full
  // length: a browser on a busy machine must not lose its challenge because the sandbox runs fast.
  const timeoutMs = challenge === 'not_frameable' ? scale(FIRST_CREQ_TIMEOUT_MS) : FIRST_CREQ_TIMEOUT_MS
  transaction.state = { at: 'challenge_offered', purchase, challenge, dueAt: now() + timeoutMs }
}

/** The first CReq opens the challenge; a later one, or a wrong code, only shows that the card holder is there. */
export const keepChallengeOpen = (
  transaction: Transaction,
  state: ChallengeState,
  attemptsLeft: number,
  { now, scale }: Timing,
): void => {
  const { purchase, challenge } = state
  const fixedMs = fixedTimeoutsMs[challenge]
  const dueAt =
    fixedMs !== undefined && state.at === 'challenge_open' ? state.dueAt : now() + scale(fixedMs ?? IDLE_TIMEOUT_MS)
  transaction.state = { at: 'challenge_open', purchase, challenge, dueAt, attemptsLeft }
}

/** Challenges that end by a timeout, whatever the card holder does. */
const fixedTimeoutsMs: Partial<Record<ChallengeKind, number>> = {
  never_finishes: NEVER_FINISHES_TIMEOUT_MS,
  out_of_band: APP_APPROVAL_MS,
}

export const collectingBehaviourOf = ({ scenario }: Transaction): CollectingBehaviour =>
  scenario.enrolled ? scenario.collecting : 'no_method'

export const markCollected = (transaction: Transaction): void => {
  if (transaction.state.at === 'started') transaction.state = { at: 'started', collected: true }
}
