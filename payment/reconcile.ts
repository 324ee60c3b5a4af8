/** Reconciliation: compares one movement of money in our record with the acquirer's, and names every discrepancy. */
import type { Instant } from '#contract/jst.ts'
import type { AttemptStateName } from './attempt.ts'
import type { LedgerMovement } from './ledger-movement.ts'
import type { Unknown } from './ports.ts'
import type { RefundStateName } from './refund.ts'

/** One entry of our ledger, as its lines add up. */
export interface LedgerEntry {
  readonly merchantId: string
  readonly checkoutId: string
  readonly name: string
  /** Null: no movement of a merchant of ours has this name. */
  readonly movement: LedgerMovement | null
  /** What the acquirer owes us by it: negative for a refund and a chargeback. */
  readonly acquirerYen: number
  /** The sum of its lines: zero, unless somebody has changed the ledger by hand. */
  readonly balanceYen: number
}

type StateName = AttemptStateName | RefundStateName
type InFlightName = 'charging' | 'requested' | 'unknown'
type EndedName = Exclude<StateName, InFlightName>

/** The attempt or the refund that asked for the movement. */
export type RequestedMovement =
  /** `since`: when its doubt began, or will begin if it is still under way then. */
  | { readonly amountYen: number; readonly state: InFlightName; readonly since: Instant }
  | { readonly amountYen: number; readonly state: EndedName }

/** What we know of one movement of money. */
export interface OurRecord {
  /** More than one only if something is wrong. */
  readonly entries: readonly LedgerEntry[]
  /** The checkout of the order; null: none of ours. */
  readonly checkoutId: string | null
  /** Null: we never asked for it. */
  readonly requested: RequestedMovement | null
}

/** The yen that moved at the acquirer; null: none did; or it gave no answer. */
export type AcquirerRecord = number | null | Unknown

interface AboutMovement {
  readonly movement: LedgerMovement
  readonly checkoutId: string | null
}

interface AboutEntry {
  readonly entry: string
  readonly checkoutId: string
}

export type Discrepancy =
  /** The acquirer moved it, and we never asked for it. */
  | ({ readonly kind: 'unknown order'; readonly acquirerYen: number } & AboutMovement)
  /**
   * The acquirer moved it, and it is not in our ledger. `state`: how our attempt or refund ended; null: of a chargeback, which
   * nobody here asks for.
   */
  | ({
      readonly kind: 'missing in ledger'
      readonly state: EndedName | null
      readonly acquirerYen: number
    } & AboutMovement)
  /** Our attempt or refund is done, and neither ledger nor acquirer has it: goods may be sent that nobody paid. */
  | ({ readonly kind: 'missing on both sides'; readonly state: EndedName; readonly ourYen: number } & AboutMovement)
  /** The acquirer's statement has it more than once: it may have moved more than once. */
  | ({ readonly kind: 'listed twice'; readonly listedYen: readonly number[] } & AboutMovement)
  /** Our ledger has it, and the acquirer did not move it. */
  | ({ readonly kind: 'missing at acquirer'; readonly ourYen: number } & AboutMovement)
  | ({
      readonly kind: 'amounts differ'
      readonly ourYen: number
      readonly acquirerYen: number
      /** False: it is still in doubt, and no inquiry ends that, because an answer with another amount is not accepted. */
      readonly isBooked: boolean
    } & AboutMovement)
  /** The lines of an entry do not add up to zero, so nobody knows which of them is right. */
  | ({ readonly kind: 'unbalanced'; readonly balanceYen: number } & AboutEntry)
  /** An entry of the ledger that is no movement of a merchant of ours. */
  | ({ readonly kind: 'unknown entry'; readonly ourYen: number } & AboutEntry)

/** What cannot be judged yet. Not a discrepancy. */
export type Unresolved =
  /** Under way or in doubt: the worker will inquire. */
  | ({
      readonly kind: 'in doubt'
      readonly amountYen: number
      readonly state: InFlightName
      readonly since: Instant
    } & AboutMovement)
  /** The acquirer did not answer about it, and no doubt of ours explains that. */
  | ({ readonly kind: 'unanswered'; readonly why: string } & AboutMovement)

export type MovementJudgement =
  | { readonly is: 'agreed' }
  /** Neither side has it: it was declined, not charged or refused. */
  | { readonly is: 'nothing' }
  /** `discrepancies`: those that no answer of the acquirer can explain. */
  | { readonly is: 'unresolved'; readonly unresolved: Unresolved; readonly discrepancies: readonly Discrepancy[] }
  | { readonly is: 'discrepant'; readonly discrepancies: readonly [Discrepancy, ...Discrepancy[]] }

const movedMoney: Record<EndedName, boolean> = {
  started: false,
  authenticating: false,
  challenged: false,
  authenticated: false,
  refused: false,
  charged: true,
  declined: false,
  not_charged: false,
  abandoned: false,
  refunded: true,
}

const takesFromShop: Record<LedgerMovement['kind'], boolean> = {
  charge: false,
  refund: true,
  chargeback: true,
  chargeback_reversal: false,
}

export const movedYen = ({ movement, acquirerYen }: LedgerEntry): number =>
  movement !== null && takesFromShop[movement.kind] ? 0 - acquirerYen : acquirerYen

/** A movement of a dispute: the acquirer made it, and nobody here asked for it. */
export const isOfDispute = ({ kind }: LedgerMovement): boolean =>
  kind === 'chargeback' || kind === 'chargeback_reversal'

const discrepant = (found: Discrepancy, ...more: Discrepancy[]): MovementJudgement => ({
  is: 'discrepant',
  discrepancies: [found, ...more],
})

export const unknownEntry = ({ name, checkoutId, acquirerYen }: LedgerEntry): Discrepancy => ({
  kind: 'unknown entry',
  entry: name,
  checkoutId,
  ourYen: acquirerYen,
})

const isUnanswered = (acquirer: AcquirerRecord): acquirer is Unknown =>
  acquirer !== null && typeof acquirer === 'object'

const unanswered = (
  about: AboutMovement,
  { why }: Unknown,
  discrepancies: readonly Discrepancy[],
): MovementJudgement => ({ is: 'unresolved', unresolved: { kind: 'unanswered', ...about, why }, discrepancies })

const judgeWithoutEntry = (
  about: AboutMovement,
  requested: RequestedMovement | null,
  acquirer: AcquirerRecord,
): MovementJudgement => {
  if (requested !== null && 'since' in requested) {
    const { amountYen, state, since } = requested
    if (typeof acquirer !== 'number' || acquirer === amountYen)
      return {
        is: 'unresolved',
        unresolved: { kind: 'in doubt', ...about, amountYen, state, since },
        discrepancies: [],
      }
    return discrepant({ kind: 'amounts differ', ...about, ourYen: amountYen, acquirerYen: acquirer, isBooked: false })
  }
  if (isUnanswered(acquirer)) return unanswered(about, acquirer, [])
  if (requested === null) {
    if (acquirer === null) return { is: 'nothing' }
    return isOfDispute(about.movement) && about.checkoutId !== null
      ? discrepant({ kind: 'missing in ledger', ...about, state: null, acquirerYen: acquirer })
      : discrepant({ kind: 'unknown order', ...about, acquirerYen: acquirer })
  }
  const { state, amountYen } = requested
  if (acquirer !== null) return discrepant({ kind: 'missing in ledger', ...about, state, acquirerYen: acquirer })
  if (!movedMoney[state]) return { is: 'nothing' }
  return discrepant({ kind: 'missing on both sides', ...about, state, ourYen: amountYen })
}

/** The discrepancies of one entry with what the acquirer moved for it. */
const entryDiscrepancies = (movement: LedgerMovement, entry: LedgerEntry, acquirer: AcquirerRecord): Discrepancy[] => {
  const { checkoutId, name, balanceYen } = entry
  const ourYen = movedYen(entry)
  const unbalanced: Discrepancy[] =
    balanceYen === 0 ? [] : [{ kind: 'unbalanced', entry: name, checkoutId, balanceYen }]
  if (acquirer === null) return [...unbalanced, { kind: 'missing at acquirer', movement, checkoutId, ourYen }]
  if (unbalanced.length > 0 || isUnanswered(acquirer) || ourYen === acquirer) return unbalanced
  return [{ kind: 'amounts differ', movement, checkoutId, ourYen, acquirerYen: acquirer, isBooked: true }]
}

/** Compares one movement on both sides. One movement at the acquirer matches one entry of ours. */
export const judgeMovement = (
  movement: LedgerMovement,
  { entries, checkoutId, requested }: OurRecord,
  acquirer: AcquirerRecord,
): MovementJudgement => {
  const about = { movement, checkoutId }
  if (entries.length === 0) return judgeWithoutEntry(about, requested, acquirer)
  const discrepancies = entries.flatMap((entry, place) =>
    entryDiscrepancies(movement, entry, place === 0 ? acquirer : null),
  )
  if (isUnanswered(acquirer)) return unanswered(about, acquirer, discrepancies)
  const [first, ...more] = discrepancies
  return first === undefined ? { is: 'agreed' } : discrepant(first, ...more)
}
