/** Fair queue: what is due is worked on several at a time, each once, and no group takes all the room. */

export interface FairQueueOptions<Due> {
  /** How many are worked on at the same time. */
  readonly concurrency: number
  /**
   * How many of them may be of one group. With 2 of 8, three groups (such as merchants whose inquiries hang) leave room for
   * others; four fill the queue until one of them times out.
   */
  readonly perGroup: number
  /** How many may begin only for groups that have none under way, so that few slow groups do not fill the queue. Default: 0. */
  readonly reserved?: number
  keyOf(due: Due): string
  /** The group that has the fewest under way is next. */
  groupOf(due: Due): string
  /** In that group, the subgroup that has the fewest under way is next. A group has few: each is looked at. */
  subgroupOf?(due: Due): string
  /** Never rejects. */
  work(due: Due): Promise<void>
}

export interface FairQueue<Due> {
  /** How many are under way, or have been tried since `forgetTried`. */
  readonly begun: number
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

interface Subgroup<Due> {
  /** By key, the oldest first. */
  readonly waiting: Map<string, Due>
  underWay: number
}

interface Group<Due> {
  readonly subgroups: Map<string, Subgroup<Due>>
  underWay: number
}

const entryOf = <T>(map: Map<string, T>, name: string, make: () => T): T => {
  const found = map.get(name) ?? make()
  map.set(name, found)
  return found
}

const fewestUnderWay = <Due>({ subgroups }: Group<Due>): Subgroup<Due> | undefined =>
  [...subgroups.values()]
    .filter(({ waiting }) => waiting.size > 0)
    .reduce<Subgroup<Due> | undefined>(
      (best, subgroup) => (best && best.underWay <= subgroup.underWay ? best : subgroup),
      undefined,
    )

export const createFairQueue = <Due>({
  concurrency,
  perGroup,
  reserved = 0,
  keyOf,
  groupOf,
  subgroupOf = groupOf,
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

  const entriesOf = (due: Due): { readonly group: Group<Due>; readonly subgroup: Subgroup<Due> } => {
    const group = entryOf(groups, groupOf(due), (): Group<Due> => ({ subgroups: new Map(), underWay: 0 }))
    const subgroup = entryOf(group.subgroups, subgroupOf(due), (): Subgroup<Due> => ({
      waiting: new Map(),
      underWay: 0,
    }))
    return { group, subgroup }
  }
  /** Lists the group behind those with as many under way. A group with as many as it may have is not listed. */
  const count = (group: Group<Due>, subgroup: Subgroup<Due>, step: 1 | -1): void => {
    ready[group.underWay]?.delete(group)
    group.underWay += step
    subgroup.underWay += step
    if (fewestUnderWay(group) !== undefined) ready[group.underWay]?.add(group)
  }
  /** Empty entries would stay for every merchant that there ever was. */
  const forgetEmpty = (due: Due, group: Group<Due>, subgroup: Subgroup<Due>): void => {
    if (subgroup.underWay === 0 && subgroup.waiting.size === 0) group.subgroups.delete(subgroupOf(due))
    if (group.subgroups.size === 0) groups.delete(groupOf(due))
  }
  const startNext = (): boolean => {
    const open = underWay.size < concurrency - reserved ? ready : ready.slice(0, 1)
    const [group] = open.find((equals) => equals.size > 0) ?? []
    const subgroup = group && fewestUnderWay(group)
    const [next] = subgroup?.waiting ?? []
    if (group === undefined || subgroup === undefined || next === undefined) return false
    const [key, due] = next
    subgroup.waiting.delete(key)
    waiting.delete(key)
    underWay.add(key)
    count(group, subgroup, 1)
    void work(due).then(() => {
      underWay.delete(key)
      tried.add(key)
      count(group, subgroup, -1)
      forgetEmpty(due, group, subgroup)
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
    get begun() {
      return underWay.size + tried.size
    },
    add: (listed) => {
      if (isClosed) return false
      const fresh = listed
        .map((due) => [keyOf(due), due] as const)
        .filter(([key]) => !waiting.has(key) && !underWay.has(key) && !tried.has(key))
      for (const [key, due] of fresh) {
        const { group, subgroup } = entriesOf(due)
        waiting.add(key)
        subgroup.waiting.set(key, due)
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
      for (const { subgroups } of groups.values()) for (const subgroup of subgroups.values()) subgroup.waiting.clear()
      for (const equals of ready) equals.clear()
      return idle()
    },
  }
}
