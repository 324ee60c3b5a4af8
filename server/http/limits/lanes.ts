/** Lanes: which request a busy server begins next. Each turn of the event loop begins a few, so that no turn is long. */
import type { Elapsed } from '../../dependencies.ts'
import { createLane, type Lane, type LaneLimits, type ShedReason, type Waiter } from './lane.ts'

/**
 * How long one turn of the event loop goes on beginning requests. Node serves every connection that is ready before it looks
 * again: with the embedded database a thousand readings were all carried out before a payment got its next turn, and a new
 * connection was accepted only after them. A payment takes some eight turns.
 */
export const TURN_MS = 2
/** Payments begin before all others, and for longer; but new connections are accepted between turns. */
export const PAYMENTS_TURN_MS = 10

/** What a request waits for. Exactly one of the two is called, unless it leaves before. */
export interface LaneRequest {
  readonly caller: string
  begin(): void
  shed(why: ShedReason): void
}

export interface Lanes<Name extends string> {
  /** Begins the request, now or in its turn, or sheds it. What it answers gives its place back, or takes it out of the queue. */
  enter(name: Name, request: LaneRequest): () => void
}

export interface LanePorts {
  readonly elapsed: Elapsed
  readonly nextTurn: (work: () => void) => void
  /** After all that follows from what was begun and waits for nothing outside of the process. */
  readonly afterMicrotasks: (work: () => void) => void
}

const systemTurns: Omit<LanePorts, 'elapsed'> = {
  nextTurn: (work) => void setImmediate(work),
  // A callback of nextTick runs when the queue of microtasks is empty: only then was the time of a request spent.
  afterMicrotasks: (work) => queueMicrotask(() => process.nextTick(work)),
}

export const createLanes = <Name extends string>(
  table: Readonly<Record<Name, LaneLimits>>,
  first: NoInfer<Name>,
  { elapsed, nextTurn, afterMicrotasks }: LanePorts,
): Lanes<Name> => {
  const payments = createLane(table[first])
  const others = Object.entries<LaneLimits>(table).flatMap(([name, limits]) =>
    name === first ? [] : [{ name, lane: createLane(limits) }],
  )
  const laneOf = (name: Name): Lane => others.find((other) => other.name === name)?.lane ?? payments
  /** Where the next search begins: each lane in turn, so that none of them starves another. */
  let turn = 0
  let isScheduled = false
  /** One request a turn begins at once: on a quiet server nothing waits. */
  let hasBegun = false

  const nextOfOthers = (): Waiter | undefined => {
    for (let step = 0; step < others.length; step += 1) {
      const waiter = others[(turn + step) % others.length]?.lane.next()
      if (waiter === undefined) continue
      turn = (turn + step + 1) % others.length
      return waiter
    }
    return undefined
  }

  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    nextTurn(() => {
      isScheduled = false
      hasBegun = false
      const began = elapsed()
      beginPayments(began)
    })
  }

  const beginPayments = (began: number): void => {
    const waiter = elapsed() - began < PAYMENTS_TURN_MS ? payments.next() : undefined
    if (waiter === undefined) return beginOthers(elapsed())
    waiter.begin()
    return afterMicrotasks(() => beginPayments(began))
  }

  /** At least one, however long the payments took. */
  const beginOthers = (began: number): void => {
    const waiter = nextOfOthers()
    if (waiter === undefined) return scheduleIfWaiting()
    waiter.begin()
    return afterMicrotasks(() => (elapsed() - began < TURN_MS ? beginOthers(began) : scheduleIfWaiting()))
  }

  const scheduleIfWaiting = (): void => {
    if (payments.hasNext() || others.some(({ lane }) => lane.hasNext())) schedule()
  }

  return {
    enter: (name, { caller, begin, shed }) => {
      const lane = laneOf(name)
      let state: 'waiting' | 'begun' | 'over' = 'waiting'
      let timer: NodeJS.Timeout | undefined
      const start = (): void => {
        clearTimeout(timer)
        state = 'begun'
        begin()
      }
      const end = (why: ShedReason): void => {
        clearTimeout(timer)
        state = 'over'
        shed(why)
      }
      const freePlace = (): void => {
        lane.freePlace(caller)
        if (lane.hasNext()) schedule()
      }
      const waiter: Waiter = { caller, begin: start, shed: end }
      const leave = (): void => {
        clearTimeout(timer)
        if (state === 'waiting') lane.stopWaiting(waiter)
        if (state === 'begun') {
          const { paceMs } = table[name]
          // Requests that wait only for the next turn of the event loop are not a flood.
          if (paceMs !== undefined && lane.hasWaiting() && !lane.hasNext()) setTimeout(freePlace, paceMs).unref()
          else freePlace()
        }
        state = 'over'
      }
      if (!hasBegun && lane.takePlace(caller)) {
        hasBegun = true
        schedule()
        start()
        return leave
      }
      const { waitMs } = table[name]
      if (Number.isFinite(waitMs))
        timer = setTimeout(() => {
          lane.stopWaiting(waiter)
          end('late')
        }, waitMs).unref()
      lane.wait(waiter)?.shed('full')
      if (lane.hasNext()) schedule()
      return leave
    },
  }
}

export const systemLanePorts = (elapsed: Elapsed): LanePorts => ({ elapsed, ...systemTurns })
