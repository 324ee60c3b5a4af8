/** Watched card hold: what the servers did with held cards, and what they must never do with them. */
import type { CardBinding, CardHold } from '#payment/ports.ts'

export interface HoldWatch {
  /** A server's hold, watched. */
  watched(hold: CardHold): CardHold
  /** The acquirer is asked for money with the card of this order. */
  noteCharge(orderCode: string): void
  /** A process has died, which may have ended an attempt and not wiped its card yet: that card ends by its time. */
  noteCrash(): void
  /** Orders whose cards were put in and not wiped by a server since. */
  readonly unwipedOrderCodes: ReadonlySet<string>
  /** Orders whose cards the hold did not take. */
  readonly refusedOrderCodes: ReadonlySet<string>
  /** How often the hold had no answer. */
  readonly unavailable: number
  /** What must never happen, and did. */
  readonly faults: readonly string[]
}

/** Cards differ in their last four digits here. */
const contentOf = (binding: CardBinding, lastFour: string): string =>
  JSON.stringify([binding.merchantId, binding.checkoutId, binding.orderCode, binding.amountYen, lastFour])

export const watchCardHold = (isInTransaction: () => boolean): HoldWatch => {
  const unwipedOrderCodes = new Set<string>()
  const refusedOrderCodes = new Set<string>()
  const wipedOrderCodes = new Set<string>()
  const contents = new Set<string>()
  const faults: string[] = []
  let unavailable = 0

  const noteCall = (name: string): void => {
    if (isInTransaction()) faults.push(`a transaction waited for the card hold: ${name}`)
  }

  return {
    unwipedOrderCodes,
    refusedOrderCodes,
    faults,
    get unavailable() {
      return unavailable
    },
    noteCrash: () => unwipedOrderCodes.clear(),
    noteCharge: (orderCode) => {
      if (wipedOrderCodes.has(orderCode)) faults.push(`${orderCode} was charged after its card was wiped`)
      if (refusedOrderCodes.has(orderCode)) faults.push(`${orderCode} was charged though its card was never held`)
    },
    watched: (hold) => ({
      put: async (binding, card) => {
        noteCall('put')
        const { orderCode } = binding
        unwipedOrderCodes.add(orderCode)
        contents.add(contentOf(binding, card.number.face.lastFour))
        const answer = await hold.put(binding, card)
        if (answer.outcome === 'held') return answer
        unavailable += 1
        unwipedOrderCodes.delete(orderCode)
        refusedOrderCodes.add(orderCode)
        return answer
      },
      find: async (binding) => {
        noteCall('find')
        const answer = await hold.find(binding)
        if (answer.outcome === 'unavailable') unavailable += 1
        if (answer.outcome !== 'held') return answer
        if (!contents.has(contentOf(binding, answer.card.number.face.lastFour)))
          faults.push(`${binding.orderCode} was given the card of another payment`)
        return answer
      },
      wipe: (orderCodes) => {
        noteCall('wipe')
        for (const orderCode of orderCodes) {
          unwipedOrderCodes.delete(orderCode)
          wipedOrderCodes.add(orderCode)
        }
        return hold.wipe(orderCodes)
      },
    }),
  }
}
