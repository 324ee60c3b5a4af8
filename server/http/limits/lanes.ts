/** Lanes: which request a busy server begins next. Each turn of the event loop begins a few, so that no turn is long. */
import type { Elapsed } from '../../dependencies.ts'
import { createLane, type Lane, type LaneLimits, type ShedReason, type Waiter } from './lane.ts'

/**
 * How long one turn of the event loop goes on beginning requests. Node serves every connection that is ready before it looks
 * again: with the embedded database a thousand readings were all carried out before a payment got its next turn, and a new
 * connection was accepted only after them. A payment takes some eight turns.
 */
export const TURN_MS = 2
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

/** A lane that comes before the others of a turn, and for how many milliseconds of it. */
export type FirstLane<Name extends string> = readonly [name: Name, turnMs: number]

export const createLanes = <Name extends string>(
  table: Readonly<Record<Name, LaneLimits>>,
  first: readonly FirstLane<NoInfer<Name>>[],
  { elapsed, nextTurn, afterMicrotasks }: LanePorts,
): Lanes<Name> => {
  const lanes = new Map(Object.entries<LaneLimits>(table).map(([name, limits]) => [name, createLane(limits)]))
  const laneOf = (name: Name): Lane => {
    const lane = lanes.get(name)
    if (lane === undefined) throw new Error(`there is no lane ${name}`)
    return lane
  }
  const firsts = first.map(([name, turnMs]) => ({ lane: laneOf(name), turnMs }))
  const others = [...lanes.values()].filter((lane) => lane !== firsts[0]?.lane)
  /** Where the next search begins: each lane in turn, so that none of them starves another. */
  let turn = 0
  let isScheduled = false
  /** One request a turn begins at once: on a quiet server nothing waits. */
  let hasBegun = false

  const nextOfOthers = (): Waiter | undefined => {
    for (let step = 0; step < others.length; step += 1) {
      const waiter = others[(turn + step) % others.length]?.next()
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
      beginFirsts(0, elapsed())
    })
  }

  /** From the lane at this place on. */
  const beginFirsts = (place: number, began: number): void => {
    const current = firsts[place]
    if (current === undefined) return beginOthers(began)
    const waiter = elapsed() - began < current.turnMs ? current.lane.next() : undefined
    if (waiter === undefined) return beginFirsts(place + 1, elapsed())
    waiter.begin()
    return afterMicrotasks(() => beginFirsts(place, began))
  }

  /** At least one, however long the payments took. */
  const beginOthers = (began: number): void => {
    const waiter = nextOfOthers()
    if (waiter === undefined) return scheduleIfWaiting()
    waiter.begin()
    return afterMicrotasks(() => (elapsed() - began < TURN_MS ? beginOthers(began) : scheduleIfWaiting()))
  }

  const scheduleIfWaiting = (): void => {
    for (const lane of lanes.values()) if (lane.hasNext()) return schedule()
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
          if (paceMs !== undefined && lane.hasWaiting()) setTimeout(freePlace, paceMs).unref()
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
