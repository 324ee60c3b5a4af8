/** What is due: a checkout, a mail. Two are the same where all their fields are, in the same order. */
export interface DueWork {
  readonly merchantId: string
}

export interface FairQueueOptions<Due extends DueWork> {
  /** How many are worked on at the same time. */
  readonly concurrency: number
  /**
   * How many of them may be one merchant's. With 2 of 8, three merchants whose inquiries hang leave room for others; four
   * fill the queue until one of them times out.
   */
  readonly perMerchant: number
  /** Never rejects. */
  work(due: Due): Promise<void>
}

/** Fair queue: what is due waits here and is worked on, several at a time and each of them once. */
export interface FairQueue<Due extends DueWork> {
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

const keyOf = (due: DueWork): string => JSON.stringify(due)

export const createFairQueue = <Due extends DueWork>({
  concurrency,
  perMerchant,
  work,
}: FairQueueOptions<Due>): FairQueue<Due> => {
  const waiting = new Map<string, Due>()
  const underWay = new Map<string, Due>()
  const tried = new Set<string>()
  let isClosed = false
  let change = Promise.withResolvers<void>()

  const hasRoomFor = (merchantId: string): boolean =>
    [...underWay.values()].filter((due) => due.merchantId === merchantId).length < perMerchant

  const startWaiting = (): void => {
    for (const [key, due] of waiting) {
      if (underWay.size >= concurrency) return
      if (!hasRoomFor(due.merchantId)) continue
      waiting.delete(key)
      underWay.set(key, due)
      void work(due).then(() => finish(key))
    }
  }
  const finish = (key: string): void => {
    underWay.delete(key)
    tried.add(key)
    startWaiting()
    change.resolve()
    change = Promise.withResolvers()
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
      for (const [key, due] of fresh) waiting.set(key, due)
      startWaiting()
      return fresh.length > 0
    },
    forgetTried: () => tried.clear(),
    allStarted: () => until(() => waiting.size === 0),
    idle,
    close: () => {
      isClosed = true
      waiting.clear()
      return idle()
    },
  }
}
