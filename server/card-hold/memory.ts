/** Card hold in memory: cards between start and pay, in this process and nowhere else. */
import type { Card, CardBinding, CardHold } from '#payment/ports.ts'
import type { Elapsed } from '../dependencies.ts'

export const CARD_HOLD_MS = 15 * 60 * 1000

const same = (a: CardBinding, b: CardBinding): boolean =>
  a.merchantId === b.merchantId &&
  a.checkoutId === b.checkoutId &&
  a.orderCode === b.orderCode &&
  a.amountYen === b.amountYen

export interface MemoryCardHold extends CardHold {
  sweep(): void
  readonly size: number
}

/** Keeps a card for its time at most, by elapsed time: a wall clock that is set back by an hour would keep it an hour longer. */
export const createCardHold = (elapsed: Elapsed, heldMs = CARD_HOLD_MS): MemoryCardHold => {
  const held = new Map<string, { readonly binding: CardBinding; readonly card: Card; readonly until: number }>()

  const wipe = (orderCode: string): void => {
    held.get(orderCode)?.card.number.wipe()
    held.delete(orderCode)
  }
  const sweep = (): void => {
    for (const [orderCode, { until }] of held) if (elapsed() >= until) wipe(orderCode)
  }

  return {
    put: async (binding, card) => {
      sweep()
      held.set(binding.orderCode, { binding, card, until: elapsed() + heldMs })
      return { outcome: 'held' }
    },
    find: async (binding) => {
      sweep()
      const found = held.get(binding.orderCode)
      return found !== undefined && same(found.binding, binding)
        ? { outcome: 'held', card: found.card }
        : { outcome: 'not_held' }
    },
    wipe: async (orderCodes) => orderCodes.forEach(wipe),
    sweep,
    get size() {
      return held.size
    },
  }
}
