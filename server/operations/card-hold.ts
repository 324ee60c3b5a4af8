/** Card hold: cards between start and pay, in memory alone. */
import type { Card, CardBinding, CardHold } from '#payment/ports.ts'
import type { Elapsed } from '../dependencies.ts'

export const CARD_HOLD_MS = 15 * 60 * 1000

interface Held {
  readonly binding: CardBinding
  readonly card: Card
  readonly until: number
}

const same = (a: CardBinding, b: CardBinding): boolean =>
  a.merchantId === b.merchantId &&
  a.checkoutId === b.checkoutId &&
  a.orderCode === b.orderCode &&
  a.amountYen === b.amountYen

/**
 * Cards between start and pay: in this process's memory and nowhere else, for 15 minutes at most. Not by the wall clock:
 * set back by an hour, it would keep them an hour longer.
 */
export const createCardHold = (elapsed: Elapsed): CardHold & { sweep(): void; readonly size: number } => {
  const held = new Map<string, Held>()

  const wipe = (orderCode: string): void => {
    held.get(orderCode)?.card.number.wipe()
    held.delete(orderCode)
  }
  const sweep = (): void => {
    for (const [orderCode, { until }] of held) if (elapsed() >= until) wipe(orderCode)
  }

  return {
    put: (binding, card) => {
      sweep()
      held.set(binding.orderCode, { binding, card, until: elapsed() + CARD_HOLD_MS })
    },
    find: (binding) => {
      sweep()
      const found = held.get(binding.orderCode)
      return found !== undefined && same(found.binding, binding) ? found.card : undefined
    },
    wipe,
    sweep,
    get size() {
      return held.size
    },
  }
}
