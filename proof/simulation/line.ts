import type { Dice } from '../harness/seeded.ts'
import type { VirtualTime } from './virtual-time.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** What became of one message and its answer, as the sender sees it. */
export type Delivery<T> =
  | { readonly arrived: true; readonly answer: T }
  | { readonly arrived: false; readonly why: 'no answer in time' | 'HTTP 500' }

const NO_ANSWER = { arrived: false, why: 'no answer in time' } as const
const FAULT = { arrived: false, why: 'HTTP 500' } as const

/** What happens to one message: it may be lost, late or doubled, and so may its answer. */
type Fate = 'well' | 'lost' | 'late' | 'twice' | 'answer lost' | 'fails before' | 'fails after'
const FATES: readonly [Fate, ...Fate[]] = ['lost', 'late', 'twice', 'answer lost', 'fails before', 'fails after']

/** The way to somebody outside and back, on which everything can happen that happens to messages. */
export interface Line {
  /** `act` is what the other side does when the message arrives. Only a message that moves money may arrive late. */
  carry<T>(act: () => T, mayBeLate: boolean): Promise<Delivery<T>>
  isSilent(): boolean
  /** Nobody answers until then. */
  fallSilentUntil(instant: number): void
  /** From now on every message arrives and is answered. */
  behave(): void
}

export const badLine = (time: VirtualTime, dice: Dice, timeoutMs: number, trouble: number): Line => {
  let isBehaving = false
  let silentUntil = 0
  const isSilent = (): boolean => time.now() < silentUntil

  const carry = async <T>(act: () => T, mayBeLate: boolean): Promise<Delivery<T>> => {
    const fate: Fate = !isBehaving && dice.chance(trouble) ? dice.oneOf(FATES) : 'well'
    const arrive = async (delayMs: number): Promise<Delivery<T>> => {
      await time.sleep(delayMs)
      return { arrived: true, answer: act() }
    }
    if (isSilent() || fate === 'lost') {
      // What a silent party was sent it may still work off when it comes back.
      if (isSilent() && mayBeLate && dice.chance(0.5)) void arrive(silentUntil - time.now() + dice.between(0, MINUTE))
      await time.sleep(timeoutMs)
      return NO_ANSWER
    }
    switch (fate) {
      case 'late':
        if (mayBeLate) void arrive(timeoutMs + dice.between(0, 2 * MINUTE))
        await time.sleep(timeoutMs)
        return NO_ANSWER
      case 'answer lost':
        await arrive(dice.between(0, SECOND))
        await time.sleep(timeoutMs)
        return NO_ANSWER
      case 'fails before':
        await time.sleep(dice.between(0, SECOND))
        return FAULT
      case 'fails after':
        await arrive(dice.between(0, SECOND))
        return FAULT
      case 'twice':
        void arrive(dice.between(0, 30 * SECOND))
        break
      case 'well':
        break
    }
    const delivery = await arrive(dice.between(0, SECOND))
    await time.sleep(dice.between(0, SECOND))
    return delivery
  }

  return {
    carry,
    isSilent,
    fallSilentUntil: (instant) => {
      silentUntil = instant
    },
    behave: () => {
      isBehaving = true
      silentUntil = 0
    },
  }
}
