import type { Instant } from '#contract/jst.ts'
import type { AttemptStateName } from './attempt.ts'
import type { Movement } from './ledger-movement.ts'
import type { Unknown } from './ports.ts'
import type { RefundStateName } from './refund.ts'

/** One entry of our ledger, as its lines add up. */
export interface Entry {
  readonly merchantId: string
  readonly checkoutId: string
  readonly name: string
  /** Null: no charge and no refund of a merchant of ours is called so. */
  readonly movement: Movement | null
  /** What the acquirer owes us by it: less than nothing for a refund. */
  readonly acquirerYen: number
  /** All its lines together: zero, or somebody has written into the ledger. */
  readonly balanceYen: number
}

type StateName = AttemptStateName | RefundStateName
type InDoubtName = 'charging' | 'requested' | 'unknown'
type OverName = Exclude<StateName, InDoubtName>

/** An attempt or a refund itself. */
export type Begun =
  /** `since`: when its doubt began, or begins if it is still under way then. */
  | { readonly amountYen: number; readonly state: InDoubtName; readonly since: Instant }
  | { readonly amountYen: number; readonly state: OverName }

/** What we know of one movement of money. */
export interface Here {
  /** More than one only where something is wrong. */
  readonly entries: readonly Entry[]
  /** Whose order it is; null: nobody's of ours. */
  readonly checkoutId: string | null
  /** Null: we never began one. */
  readonly begun: Begun | null
}

/** The yen that moved at the acquirer; null: none did; or it would not say. */
export type There = number | null | Unknown

export type Break =
  /** It moved there, and we never began it. */
  | {
      readonly kind: 'not known here'
      readonly movement: Movement
      readonly checkoutId: string | null
      readonly thereYen: number
    }
  /** It moved there; we began it, take it for ended otherwise, and have not booked it. */
  | {
      readonly kind: 'not booked here'
      readonly movement: Movement
      readonly checkoutId: string | null
      readonly state: OverName
      readonly thereYen: number
    }
  /** We take it for done, and it is neither booked here nor did it move there: somebody has goods, and nobody has paid. */
  | {
      readonly kind: 'neither booked nor there'
      readonly movement: Movement
      readonly checkoutId: string | null
      readonly state: OverName
      readonly hereYen: number
    }
  /** The acquirer's own statement has it more than once: it may have moved as often. */
  | {
      readonly kind: 'listed twice'
      readonly movement: Movement
      readonly checkoutId: string | null
      readonly listedYen: readonly number[]
    }
  /** We booked what did not move there. */
  | {
      readonly kind: 'not there'
      readonly movement: Movement
      readonly checkoutId: string
      readonly hereYen: number
    }
  | {
      readonly kind: 'amounts differ'
      readonly movement: Movement
      readonly checkoutId: string | null
      readonly hereYen: number
      readonly thereYen: number
      /** False: it is still in doubt here, and no inquiry will end that, because an answer with another amount is not taken. */
      readonly isBooked: boolean
    }
  /** The lines of an entry do not add up to zero, so that nobody knows which of them to believe. */
  | { readonly kind: 'unbalanced'; readonly entry: string; readonly checkoutId: string; readonly balanceYen: number }
  /** An entry of the ledger that is no charge and no refund of a merchant of ours. */
  | { readonly kind: 'strange entry'; readonly entry: string; readonly checkoutId: string; readonly hereYen: number }

/** What nobody can judge yet. Not a break. */
export type Open =
  /** Under way or in doubt here: the worker will ask. */
  | {
      readonly kind: 'in doubt'
      readonly movement: Movement
      readonly checkoutId: string | null
      readonly amountYen: number
      readonly state: InDoubtName
      readonly since: Instant
    }
  /** The acquirer did not answer about it, and no doubt here explains that. */
  | {
      readonly kind: 'unasked'
      readonly movement: Movement
      readonly checkoutId: string | null
      readonly why: string
    }

export type MovementJudgement =
  | { readonly is: 'agreed' }
  /** Neither side has it: it was declined, void or refused. */
  | { readonly is: 'nothing' }
  /** With what is wrong whatever the acquirer may have. */
  | { readonly is: 'open'; readonly open: Open; readonly breaks: readonly Break[] }
  | { readonly is: 'broken'; readonly breaks: readonly [Break, ...Break[]] }

const saysItMoved: Record<OverName, boolean> = {
  started: false,
  authenticating: false,
  challenged: false,
  authenticated: false,
  refused: false,
  charged: true,
  declined: false,
  void: false,
  abandoned: false,
  refunded: true,
}

export const movedYen = ({ movement, acquirerYen }: Entry): number =>
  movement?.kind === 'refund' ? 0 - acquirerYen : acquirerYen

const broken = (found: Break, ...more: Break[]): MovementJudgement => ({ is: 'broken', breaks: [found, ...more] })

export const strangeEntry = ({ name, checkoutId, acquirerYen }: Entry): Break => ({
  kind: 'strange entry',
  entry: name,
  checkoutId,
  hereYen: acquirerYen,
})

const isUnanswered = (there: There): there is Unknown => there !== null && typeof there === 'object'

const notBooked = (movement: Movement, { checkoutId, begun }: Here, there: There): MovementJudgement => {
  const place = { movement, checkoutId }
  if (begun !== null && 'since' in begun) {
    const { amountYen, state, since } = begun
    if (typeof there !== 'number' || there === amountYen)
      return { is: 'open', open: { kind: 'in doubt', ...place, amountYen, state, since }, breaks: [] }
    return broken({ kind: 'amounts differ', ...place, hereYen: amountYen, thereYen: there, isBooked: false })
  }
  if (isUnanswered(there)) return { is: 'open', open: { kind: 'unasked', ...place, why: there.why }, breaks: [] }
  if (begun === null)
    return there === null ? { is: 'nothing' } : broken({ kind: 'not known here', ...place, thereYen: there })
  const { state, amountYen } = begun
  if (there !== null) return broken({ kind: 'not booked here', ...place, state, thereYen: there })
  if (!saysItMoved[state]) return { is: 'nothing' }
  return broken({ kind: 'neither booked nor there', ...place, state, hereYen: amountYen })
}

/** What is wrong with one entry that stands for what moved there, or for nothing. */
const faultsOf = (movement: Movement, entry: Entry, there: There): Break[] => {
  const { checkoutId, name, balanceYen } = entry
  const hereYen = movedYen(entry)
  const unbalanced: Break[] = balanceYen === 0 ? [] : [{ kind: 'unbalanced', entry: name, checkoutId, balanceYen }]
  if (there === null) return [...unbalanced, { kind: 'not there', movement, checkoutId, hereYen }]
  if (unbalanced.length > 0 || isUnanswered(there) || hereYen === there) return unbalanced
  return [{ kind: 'amounts differ', movement, checkoutId, hereYen, thereYen: there, isBooked: true }]
}

/** One movement of money, as we know it and as the acquirer does. What moved there once counts for one entry here. */
export const judgeMovement = (movement: Movement, here: Here, there: There): MovementJudgement => {
  const { entries, checkoutId } = here
  if (entries.length === 0) return notBooked(movement, here, there)
  const breaks = entries.flatMap((entry, place) => faultsOf(movement, entry, place === 0 ? there : null))
  if (isUnanswered(there))
    return { is: 'open', open: { kind: 'unasked', movement, checkoutId, why: there.why }, breaks }
  const [first, ...more] = breaks
  return first === undefined ? { is: 'agreed' } : broken(first, ...more)
}
