import type { CardHold } from '#payment/ports.ts'

export interface WatchedHold {
  readonly hold: CardHold
  /** Orders whose cards are in the hold because nobody has taken them out. */
  readonly unwiped: ReadonlySet<string>
}

/** A card hold that is seen through: which cards the server itself has forgotten, and which only their time would end. */
export const watchedHold = (hold: CardHold): WatchedHold => {
  const unwiped = new Set<string>()
  return {
    unwiped,
    hold: {
      find: hold.find,
      put: (binding, card) => {
        unwiped.add(binding.orderCode)
        hold.put(binding, card)
      },
      wipe: (orderCode) => {
        unwiped.delete(orderCode)
        hold.wipe(orderCode)
      },
    },
  }
}
