/** Watched card hold: tells cards that the server wiped itself from those that only their time limit would end. */
import type { CardHold } from '#payment/ports.ts'

export interface WatchedCardHold {
  readonly cardHold: CardHold
  /** Orders whose cards were put in and not wiped by the server. */
  readonly unwipedOrderCodes: ReadonlySet<string>
}

export const watchedCardHold = (hold: CardHold): WatchedCardHold => {
  const unwipedOrderCodes = new Set<string>()
  return {
    unwipedOrderCodes,
    cardHold: {
      find: hold.find,
      put: (binding, card) => {
        unwipedOrderCodes.add(binding.orderCode)
        return hold.put(binding, card)
      },
      wipe: (orderCodes) => {
        for (const orderCode of orderCodes) unwipedOrderCodes.delete(orderCode)
        return hold.wipe(orderCodes)
      },
    },
  }
}
