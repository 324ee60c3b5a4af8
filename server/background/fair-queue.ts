import type { CheckoutRef } from '#payment/refs.ts'

export interface DeskOptions {
  /** How many checkouts are attended to at the same time. */
  readonly places: number
  /**
   * How many of the places one merchant's checkouts may take. With 2 of 8, three merchants whose inquiries hang leave room
   * for others; four fill every place until one of them is given up.
   */
  readonly share: number
  /** Never rejects. */
  work(due: CheckoutRef): Promise<void>
}

/** Where due checkouts wait and are attended to, several at a time and each of them once. */
export interface Desk {
  /** How many wait, are under way, or have been tried since `forget`. */
  readonly known: number
  /** Puts down those that are not known yet, and begins what there is room for. Answers whether any was new. */
  take(due: readonly CheckoutRef[]): boolean
  /** What was tried may be taken up again. */
  forget(): void
  /** Resolves when none waits for a place any more. */
  begun(): Promise<void>
  /** Resolves when all is done. */
  idle(): Promise<void>
  /** Begins nothing more; resolves when what is under way has ended. */
  close(): Promise<void>
}

const keyOf = ({ merchantId, checkoutId }: CheckoutRef): string => `${merchantId} ${checkoutId}`

export const createDesk = ({ places, share, work }: DeskOptions): Desk => {
  const waiting = new Map<string, CheckoutRef>()
  const underWay = new Map<string, CheckoutRef>()
  const tried = new Set<string>()
  let isClosed = false
  let change = Promise.withResolvers<void>()

  const hasShareLeft = (merchantId: string): boolean =>
    [...underWay.values()].filter((due) => due.merchantId === merchantId).length < share

  const begin = (): void => {
    for (const [key, due] of waiting) {
      if (underWay.size >= places) return
      if (!hasShareLeft(due.merchantId)) continue
      waiting.delete(key)
      underWay.set(key, due)
      void work(due).then(() => end(key))
    }
  }
  const end = (key: string): void => {
    underWay.delete(key)
    tried.add(key)
    begin()
    change.resolve()
    change = Promise.withResolvers()
  }
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await change.promise
  }

  const idle = (): Promise<void> => until(() => waiting.size === 0 && underWay.size === 0)

  return {
    get known() {
      return waiting.size + underWay.size + tried.size
    },
    take: (listed) => {
      if (isClosed) return false
      const fresh = listed
        .map((due) => [keyOf(due), due] as const)
        .filter(([key]) => !waiting.has(key) && !underWay.has(key) && !tried.has(key))
      for (const [key, due] of fresh) waiting.set(key, due)
      begin()
      return fresh.length > 0
    },
    forget: () => tried.clear(),
    begun: () => until(() => waiting.size === 0),
    idle,
    close: () => {
      isClosed = true
      waiting.clear()
      return idle()
    },
  }
}
