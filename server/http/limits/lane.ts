/** One lane: places of requests that are worked on, and the queues of those that wait for one, a queue for each caller. */

export interface LaneLimits {
  /** How many requests are worked on at the same time, and how many of one caller among them. */
  readonly atOnce: number
  readonly atOncePerCaller: number
  /** How many requests wait at most. Beyond that the newest one of the caller with the most is shed. */
  readonly waiting: number
  /** How long a request waits at most before it is shed. */
  readonly waitMs: number
  /** How long a place stays taken after its request, where others wait for it. A caller with many connections comes back at once. */
  readonly paceMs?: number
}

/** Why a request is shed: too many waited when it came, or it has waited for too long. */
export type ShedReason = 'full' | 'late'

export interface Waiter {
  readonly caller: string
  begin(): void
  shed(why: ShedReason): void
}

export interface Lane {
  /** Takes a place at once, unless there is none, or somebody waits who may take it. */
  takePlace(caller: string): boolean
  freePlace(caller: string): void
  /** Puts a request at the end of its caller's queue. Answers whom to shed for it, which may be itself. */
  wait(waiter: Waiter): Waiter | undefined
  stopWaiting(waiter: Waiter): void
  /** Takes a place for the next request: of the callers with the fewest places, the one that waits for longest. */
  next(): Waiter | undefined
  hasNext(): boolean
  hasWaiting(): boolean
}

const countUp = (counts: Map<string, number>, caller: string, step: 1 | -1): void => {
  const count = (counts.get(caller) ?? 0) + step
  // Callers come and go: one that has nothing here is forgotten.
  if (count === 0) counts.delete(caller)
  else counts.set(caller, count)
}

interface Queued {
  readonly waiter: Waiter
  /** Grows from request to request. */
  readonly order: number
}

export const createLane = (limits: LaneLimits): Lane => {
  const placesOf = new Map<string, number>()
  const queues = new Map<string, Queued[]>()
  let places = 0
  let waiting = 0
  let order = 0

  const mayBegin = (caller: string): boolean =>
    places < limits.atOnce && (placesOf.get(caller) ?? 0) < limits.atOncePerCaller

  const take = (caller: string): void => {
    places += 1
    countUp(placesOf, caller, 1)
  }

  const removeAt = (caller: string, queue: Queued[], place: number): Waiter | undefined => {
    const [removed] = queue.splice(place, 1)
    if (queue.length === 0) queues.delete(caller)
    if (removed !== undefined) waiting -= 1
    return removed?.waiter
  }

  const nextCaller = (): string | undefined => {
    if (places >= limits.atOnce) return undefined
    let best: { readonly caller: string; readonly places: number; readonly order: number } | undefined
    for (const [caller, [head]] of queues) {
      const held = placesOf.get(caller) ?? 0
      if (head === undefined || held >= limits.atOncePerCaller) continue
      // In the order of their turns. To look at all callers for each request would cost a flood of many networks squared.
      if (held === 0) return caller
      if (best === undefined || held < best.places || (held === best.places && head.order < best.order))
        best = { caller, places: held, order: head.order }
    }
    return best?.caller
  }

  /** One caller alone cannot fill the lane for the others. Of several the one that began to wait last. */
  const longestQueue = (): readonly [string, Queued[]] | undefined => {
    let longest: readonly [string, Queued[]] | undefined
    for (const entry of queues) if (longest === undefined || entry[1].length >= longest[1].length) longest = entry
    return longest
  }

  return {
    takePlace: (caller) => {
      if (!mayBegin(caller) || nextCaller() !== undefined) return false
      take(caller)
      return true
    },
    freePlace: (caller) => {
      places -= 1
      countUp(placesOf, caller, -1)
    },
    wait: (waiter) => {
      const queue = queues.get(waiter.caller) ?? []
      queue.push({ waiter, order })
      queues.set(waiter.caller, queue)
      order += 1
      waiting += 1
      // One for whom there is a place waits only for the next turn of the event loop.
      const isNext = mayBegin(waiter.caller) && waiting <= limits.waiting + limits.atOnce
      if (waiting <= limits.waiting || isNext) return undefined
      const longest = longestQueue()
      return longest === undefined ? undefined : removeAt(longest[0], longest[1], longest[1].length - 1)
    },
    stopWaiting: (waiter) => {
      const queue = queues.get(waiter.caller)
      const place = queue?.findIndex((queued) => queued.waiter === waiter) ?? -1
      if (queue !== undefined && place >= 0) removeAt(waiter.caller, queue, place)
    },
    next: () => {
      const caller = nextCaller()
      const queue = caller === undefined ? undefined : queues.get(caller)
      if (caller === undefined || queue === undefined) return undefined
      take(caller)
      const waiter = removeAt(caller, queue, 0)
      // Its next request waits for the turns of the others.
      if (queues.delete(caller)) queues.set(caller, queue)
      return waiter
    },
    hasNext: () => nextCaller() !== undefined,
    hasWaiting: () => waiting > 0,
  }
}
