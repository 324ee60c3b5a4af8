/** Faulty connection from our server to the acquirer, the 3-D Secure server or the store of held cards. */
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface FaultyConnection {
  /** `act` is what the other side does when the message arrives. One that `mayBeLate` may arrive after the sender gave up. */
  deliver<T>(act: () => T, mayBeLate: boolean): Promise<Delivery<T>>
  isSilent(): boolean
  /** The other side answers nothing until then. */
  goSilentUntil(instant: number): void
  /** From now on every message arrives and is answered. */
  stopFaults(): void
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Delivery of one message and its answer, as the sender sees it. */
export type Delivery<T> =
  | { readonly arrived: true; readonly answer: T }
  | { readonly arrived: false; readonly why: 'no answer in time' | 'HTTP 500' }

const NO_ANSWER = { arrived: false, why: 'no answer in time' } as const
const SERVER_ERROR = { arrived: false, why: 'HTTP 500' } as const

/** Fault of one message: it may be lost, late or doubled, its answer may be lost, and the other side may fail. */
type MessageFault = 'none' | 'lost' | 'late' | 'twice' | 'answer lost' | 'fails before' | 'fails after'
const MESSAGE_FAULTS: readonly [MessageFault, ...MessageFault[]] = [
  'lost',
  'late',
  'twice',
  'answer lost',
  'fails before',
  'fails after',
]

export const faultyConnection = (
  time: VirtualTime,
  random: SeededRandom,
  timeoutMs: number,
  faultRate: number,
  /** Of a message or an answer that is not late; 0: both are there at once. */
  maxDelayMs = SECOND,
): FaultyConnection => {
  let hasFaults = true
  let silentUntil = 0
  const isSilent = (): boolean => time.now() < silentUntil

  const deliver = async <T>(act: () => T, mayBeLate: boolean): Promise<Delivery<T>> => {
    const fault: MessageFault = hasFaults && random.chance(faultRate) ? random.oneOf(MESSAGE_FAULTS) : 'none'
    const pause = async (): Promise<void> => {
      if (maxDelayMs > 0) await time.sleep(random.between(0, maxDelayMs))
    }
    const arrive = async (late?: number): Promise<Delivery<T>> => {
      await (late === undefined ? pause() : time.sleep(late))
      return { arrived: true, answer: act() }
    }
    if (isSilent() || fault === 'lost') {
      // What was sent while the other side was silent, it may still process when it comes back.
      if (isSilent() && mayBeLate && random.chance(0.5))
        void arrive(silentUntil - time.now() + random.between(0, MINUTE))
      await time.sleep(timeoutMs)
      return NO_ANSWER
    }
    switch (fault) {
      case 'late':
        if (mayBeLate) void arrive(timeoutMs + random.between(0, 2 * MINUTE))
        await time.sleep(timeoutMs)
        return NO_ANSWER
      case 'answer lost':
        await arrive()
        await time.sleep(timeoutMs)
        return NO_ANSWER
      case 'fails before':
        await pause()
        return SERVER_ERROR
      case 'fails after':
        await arrive()
        return SERVER_ERROR
      case 'twice':
        void arrive(random.between(0, 30 * SECOND))
        break
      case 'none':
        break
    }
    const delivery = await arrive()
    await pause()
    return delivery
  }

  return {
    deliver,
    isSilent,
    goSilentUntil: (instant) => {
      silentUntil = instant
    },
    stopFaults: () => {
      hasFaults = false
      silentUntil = 0
    },
  }
}
