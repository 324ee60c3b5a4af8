import type { AttemptStateName } from './attempt.ts'
import type { Movement } from './movement.ts'
import type { StatementLine } from './ports.ts'
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

/** What we know of one movement of money. */
export interface Here {
  /** More than one only where something is wrong. */
  readonly entries: readonly Entry[]
  /** Whose order it is; null: nobody's of ours. */
  readonly checkoutId: string | null
  /** The attempt or the refund itself; null: we never began one. */
  readonly begun: { readonly amountYen: number; readonly state: StateName } | null
}

/** The yen that moved at the acquirer; null: none did. */
export type There = number | null

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
      readonly state: StateName
      readonly thereYen: number
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

export type Judgement =
  | { readonly is: 'agreed' }
  /** Neither side has it: it was declined, void or refused. */
  | { readonly is: 'nothing' }
  /** Under way or in doubt here: the worker will ask. Not a break, whatever the acquirer has. */
  | { readonly is: 'in doubt' }
  | { readonly is: 'broken'; readonly breaks: readonly [Break, ...Break[]] }

const isInDoubt: Record<StateName, boolean> = {
  started: false,
  authenticating: false,
  challenged: false,
  authenticated: false,
  refused: false,
  charging: true,
  unknown: true,
  charged: false,
  declined: false,
  void: false,
  abandoned: false,
  requested: true,
  refunded: false,
}

const movedYen = ({ movement, acquirerYen }: Entry): number =>
  movement?.kind === 'refund' ? 0 - acquirerYen : acquirerYen

const broken = (found: Break, ...more: Break[]): Judgement => ({ is: 'broken', breaks: [found, ...more] })

export const strangeEntry = ({ name, checkoutId, acquirerYen }: Entry): Break => ({
  kind: 'strange entry',
  entry: name,
  checkoutId,
  hereYen: acquirerYen,
})

const notBooked = (movement: Movement, { checkoutId, begun }: Here, there: There): Judgement => {
  if (there === null) return { is: begun !== null && isInDoubt[begun.state] ? 'in doubt' : 'nothing' }
  if (begun === null) return broken({ kind: 'not known here', movement, checkoutId, thereYen: there })
  const { state, amountYen } = begun
  if (!isInDoubt[state]) return broken({ kind: 'not booked here', movement, checkoutId, state, thereYen: there })
  if (amountYen === there) return { is: 'in doubt' }
  return broken({
    kind: 'amounts differ',
    movement,
    checkoutId,
    hereYen: amountYen,
    thereYen: there,
    isBooked: false,
  })
}

/** What is wrong with one entry that stands for what moved there, or for nothing. */
const faultsOf = (movement: Movement, entry: Entry, there: There): Break[] => {
  const { checkoutId, name, balanceYen } = entry
  const hereYen = movedYen(entry)
  const unbalanced: Break[] = balanceYen === 0 ? [] : [{ kind: 'unbalanced', entry: name, checkoutId, balanceYen }]
  if (there === null) return [...unbalanced, { kind: 'not there', movement, checkoutId, hereYen }]
  if (unbalanced.length > 0 || hereYen === there) return unbalanced
  return [{ kind: 'amounts differ', movement, checkoutId, hereYen, thereYen: there, isBooked: true }]
}

/** One movement of money, as we know it and as the acquirer does. What moved there once counts for one entry here. */
export const judge = (movement: Movement, here: Here, there: There): Judgement => {
  if (here.entries.length === 0) return notBooked(movement, here, there)
  const faults = here.entries.flatMap((entry, place) => faultsOf(movement, entry, place === 0 ? there : null))
  const [first, ...more] = faults
  return first === undefined ? { is: 'agreed' } : broken(first, ...more)
}

/** Finds what is plainly the same on both sides, so that only the rest need be looked at one by one. */
export interface Matching {
  /** All of the acquirer's statement comes first. */
  there(line: StatementLine): void
  /** True when exactly this moved there, and no other entry stands for it. */
  here(entry: Entry): boolean
  /** What moved there and met no entry. */
  leftThere(): Iterable<Movement>
}

export const openMatching = (): Matching => {
  const charges = new Map<string, number>()
  const refunds = new Map<string, Map<string, number>>()

  const yenThere = (movement: Movement): number | undefined =>
    movement.kind === 'charge'
      ? charges.get(movement.orderCode)
      : refunds.get(movement.orderCode)?.get(movement.refundId)
  const strike = (movement: Movement): void => {
    if (movement.kind === 'charge') charges.delete(movement.orderCode)
    else refunds.get(movement.orderCode)?.delete(movement.refundId)
  }

  return {
    there: ({ orderCode, chargedYen, refunds: given }) => {
      charges.set(orderCode, chargedYen)
      if (given.length > 0)
        refunds.set(orderCode, new Map(given.map(({ refundId, amountYen }) => [refundId, amountYen])))
    },
    here: (entry) => {
      const { movement, balanceYen } = entry
      if (movement === null || balanceYen !== 0 || yenThere(movement) !== movedYen(entry)) return false
      strike(movement)
      return true
    },
    *leftThere() {
      for (const orderCode of charges.keys()) yield { kind: 'charge', orderCode }
      for (const [orderCode, given] of refunds)
        for (const refundId of given.keys()) yield { kind: 'refund', orderCode, refundId }
    },
  }
}
