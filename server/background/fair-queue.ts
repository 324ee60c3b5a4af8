export interface FairQueueOptions<Due> {
  /** How many are worked on at the same time. */
  readonly concurrency: number
  /**
   * How many of them may be of one group. With 2 of 8, three groups (such as merchants whose inquiries hang) leave room for
   * others; four fill the queue until one of them times out.
   */
  readonly perGroup: number
  /** So many of the places are for groups that have none under way: few groups that are slow do not hold them all. Default: 0. */
  readonly reserved?: number
  keyOf(due: Due): string
  /** A place that is free goes to the group that has the fewest under way. */
  groupOf(due: Due): string
  /** Within its group to the part that has the fewest. One group has few parts: each is looked at. */
  partOf?(due: Due): string
  /** Never rejects. */
  work(due: Due): Promise<void>
}

/** Fair queue: what is due waits here and is worked on, several at a time and each once. */
export interface FairQueue<Due> {
  /** How many wait, are under way, or have been tried since `forgetTried`. */
  readonly size: number
  /** Adds those that are not known yet, and starts what there is room for. Answers whether any was new. */
  add(due: readonly Due[]): boolean
  /** What was tried may be added again. */
  forgetTried(): void
  /** Resolves when none waits any more. */
  allStarted(): Promise<void>
  /** Resolves when all is done. */
  idle(): Promise<void>
  /** Starts nothing more; resolves when what is under way has ended. */
  close(): Promise<void>
}

/** Those that wait, by key and the oldest first, and how many are under way. */
interface Part<Due> {
  readonly waiting: Map<string, Due>
  underWay: number
}

interface Group<Due> {
  readonly deps: Map<string, Part<Due>>
  underWay: number
}

const entryOf = <T>(map: Map<string, T>, name: string, make: () => T): T => {
  const found = map.get(name) ?? make()
  map.set(name, found)
  return found
}

const fewestUnderWay = <Due>({ deps }: Group<Due>): Part<Due> | undefined =>
  [...deps.values()]
    .filter(({ waiting }) => waiting.size > 0)
    .reduce<Part<Due> | undefined>((best, part) => (best && best.underWay <= part.underWay ? best : part), undefined)

export const createFairQueue = <Due>({
  concurrency,
  perGroup,
  reserved = 0,
  keyOf,
  groupOf,
  partOf = groupOf,
  work,
}: FairQueueOptions<Due>): FairQueue<Due> => {
  const groups = new Map<string, Group<Due>>()
  /** Groups in which any waits, by how many they have under way: to find the next costs the same, however many wait. */
  const ready = Array.from({ length: perGroup }, () => new Set<Group<Due>>())
  const waiting = new Set<string>()
  const underWay = new Set<string>()
  const tried = new Set<string>()
  let isClosed = false
  let change = Promise.withResolvers<void>()

  const placeOf = (due: Due): { readonly group: Group<Due>; readonly part: Part<Due> } => {
    const group = entryOf(groups, groupOf(due), (): Group<Due> => ({ deps: new Map(), underWay: 0 }))
    const part = entryOf(group.deps, partOf(due), (): Part<Due> => ({ waiting: new Map(), underWay: 0 }))
    return { group, part }
  }
  /** Behind all that are equal to it. A group with as many under way as it may have is not listed. */
  const count = (group: Group<Due>, part: Part<Due>, step: 1 | -1): void => {
    ready[group.underWay]?.delete(group)
    group.underWay += step
    part.underWay += step
    if (fewestUnderWay(group) !== undefined) ready[group.underWay]?.add(group)
  }
  /** Empty entries would stay for every merchant that there ever was. */
  const forgetEmpty = (due: Due, group: Group<Due>, part: Part<Due>): void => {
    if (part.underWay === 0 && part.waiting.size === 0) group.deps.delete(partOf(due))
    if (group.deps.size === 0) groups.delete(groupOf(due))
  }
  const startNext = (): boolean => {
    const open = underWay.size < concurrency - reserved ? ready : ready.slice(0, 1)
    const [group] = open.find((equals) => equals.size > 0) ?? []
    const part = group && fewestUnderWay(group)
    const [next] = part?.waiting ?? []
    if (group === undefined || part === undefined || next === undefined) return false
    const [key, due] = next
    part.waiting.delete(key)
    waiting.delete(key)
    underWay.add(key)
    count(group, part, 1)
    void work(due).then(() => {
      underWay.delete(key)
      tried.add(key)
      count(group, part, -1)
      forgetEmpty(due, group, part)
      startWaiting()
      change.resolve()
      change = Promise.withResolvers()
    })
    return true
  }
  const startWaiting = (): void => {
    while (underWay.size < concurrency && startNext());
  }
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await change.promise
  }

  const idle = (): Promise<void> => until(() => waiting.size === 0 && underWay.size === 0)

  return {
    get size() {
      return waiting.size + underWay.size + tried.size
    },
    add: (listed) => {
      if (isClosed) return false
      const fresh = listed
        .map((due) => [keyOf(due), due] as const)
        .filter(([key]) => !waiting.has(key) && !underWay.has(key) && !tried.has(key))
      for (const [key, due] of fresh) {
        const { group, part } = placeOf(due)
        waiting.add(key)
        part.waiting.set(key, due)
        ready[group.underWay]?.add(group)
      }
      startWaiting()
      return fresh.length > 0
    },
    forgetTried: () => tried.clear(),
    allStarted: () => until(() => waiting.size === 0),
    idle,
    close: () => {
      isClosed = true
      waiting.clear()
      for (const { deps } of groups.values()) for (const part of deps.values()) part.waiting.clear()
      for (const equals of ready) equals.clear()
      return idle()
    },
  }
}
