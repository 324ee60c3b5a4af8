import { randomUUID } from 'node:crypto'
import { scenarioOf } from '../cards/cards.ts'
import type { ChallengeKind, Collecting, Scenario } from '../cards/scenarios.ts'
import { type ChallengeEnd, type Verdict, verdictAfterChallenge } from './verdicts.ts'

/** What the durations of a scenario are measured by. */
export type Timing = {
  now: () => number
  /** A duration at the time scale, but never below a second: no browser keeps shorter promises. */
  scaled: (durationMs: number) => number
}

export type Terms = {
  number: string
  merchantId: string
  requestorTransId: string
  eventUrl: string
  windowSize: WindowSize
}

export const windowSizes = ['01', '02', '03', '04', '05'] as const
export type WindowSize = (typeof windowSizes)[number]

export type Purchase = { amount: string; merchantName: string; language: string; messageVersion: string }

export type State =
  | { at: 'started'; collected: boolean }
  | { at: 'challenge_offered'; purchase: Purchase; challenge: ChallengeKind; dueAt: number }
  | { at: 'challenge_open'; purchase: Purchase; challenge: ChallengeKind; dueAt: number; triesLeft: number }
  | { at: 'decided'; purchase: Purchase; verdict: Verdict }

export type AskedState = Extract<State, { at: 'challenge_offered' | 'challenge_open' }>

export type Transaction = {
  readonly serverTransId: string
  readonly acsTransId: string
  readonly dsTransId: string
  readonly terms: Terms
  readonly scenario: Scenario
  state: State
  /** Whether the trouble that comes once has come. */
  stumbled: boolean
  touchedAt: number
}

export type Transactions = {
  start: (terms: Terms) => Transaction
  /** As it stands now: whatever was due has happened. */
  find: (serverTransId: string) => Transaction | undefined
  findByAcs: (acsTransId: string) => Transaction | undefined
}

const keptMs = 15 * 60_000
const firstCReqMs = 30_000
const interactionMs = 10 * 60_000
const neverFinishesMs = 30_000
const appApprovalMs = 10_000

/** EMV gives the 3DS method ten seconds. */
export const methodLimitMs = 10_000

export const openTransactions = ({ now }: Timing): Transactions => {
  const known = new Map<string, Transaction>()
  const byAcs = new Map<string, Transaction>()

  const sweep = (): void => {
    for (const { serverTransId, acsTransId, touchedAt } of known.values()) {
      if (now() - touchedAt < keptMs) continue
      known.delete(serverTransId)
      byAcs.delete(acsTransId)
    }
  }

  const current = (transaction: Transaction | undefined): Transaction | undefined => {
    if (!transaction || now() - transaction.touchedAt >= keptMs) return undefined
    transaction.touchedAt = now()
    settle(transaction, now())
    return transaction
  }

  return {
    start: (terms) => {
      sweep()
      const transaction: Transaction = {
        serverTransId: randomUUID(),
        acsTransId: randomUUID(),
        dsTransId: randomUUID(),
        terms,
        scenario: scenarioOf(terms.number),
        state: { at: 'started', collected: false },
        stumbled: false,
        touchedAt: now(),
      }
      known.set(transaction.serverTransId, transaction)
      byAcs.set(transaction.acsTransId, transaction)
      return transaction
    },
    find: (serverTransId) => current(known.get(serverTransId)),
    findByAcs: (acsTransId) => current(byAcs.get(acsTransId)),
  }
}

const settle = (transaction: Transaction, now: number): void => {
  const { state } = transaction
  if (state.at === 'challenge_offered' && state.dueAt <= now) endChallenge(transaction, 'not_opened')
  if (state.at === 'challenge_open' && state.dueAt <= now) {
    endChallenge(transaction, state.challenge === 'out_of_band' ? 'approved_in_app' : 'idle')
  }
}

/** A challenge ends once: what comes later changes nothing. */
export const endChallenge = (transaction: Transaction, end: ChallengeEnd): void => {
  const { state, terms } = transaction
  if (state.at !== 'challenge_offered' && state.at !== 'challenge_open') return
  const { purchase } = state
  transaction.state = { at: 'decided', purchase, verdict: verdictAfterChallenge(terms.number, end) }
}

export const offerChallenge = (
  transaction: Transaction,
  purchase: Purchase,
  challenge: ChallengeKind,
  { now, scaled }: Timing,
): void => {
  // Only for a challenge that cannot open is the limit what ends it. For any other it stays as long as in the world: a
  // browser on a busy machine must not lose its challenge because the sandbox is in a hurry.
  const limitMs = challenge === 'not_frameable' ? scaled(firstCReqMs) : firstCReqMs
  transaction.state = { at: 'challenge_offered', purchase, challenge, dueAt: now() + limitMs }
}

/** The first CReq opens the challenge; a later one, or a wrong code, only shows that the card holder is there. */
export const keepChallengeOpen = (
  transaction: Transaction,
  state: AskedState,
  triesLeft: number,
  { now, scaled }: Timing,
): void => {
  const { purchase, challenge } = state
  const fixedMs = fixedLimits[challenge]
  const dueAt =
    fixedMs !== undefined && state.at === 'challenge_open' ? state.dueAt : now() + scaled(fixedMs ?? interactionMs)
  transaction.state = { at: 'challenge_open', purchase, challenge, dueAt, triesLeft }
}

/** Challenges whose end comes by the clock, whatever the card holder does. */
const fixedLimits: Partial<Record<ChallengeKind, number>> = {
  never_finishes: neverFinishesMs,
  out_of_band: appApprovalMs,
}

export const collectingOf = ({ scenario }: Transaction): Collecting =>
  scenario.enrolled ? scenario.collecting : 'no_method'

export const markCollected = (transaction: Transaction): void => {
  if (transaction.state.at === 'started') transaction.state = { at: 'started', collected: true }
}
