/** Waiting calls: how many calls about one order may wait at the same time. */
import { refuse, type Refusal } from '#contract/errors.ts'

/** A shopper has a few tabs open and clicks a few times; every call beyond waits for the same answer and costs polls. */
export const WAITING_CALLS_MAX = 20

export interface WaitingCalls {
  /** Makes the call unless 20 of the same order are waiting already. */
  limit<T extends object>(orderCode: string, call: () => Promise<T | Refusal>): Promise<T | Refusal>
}

export const countWaitingCalls = (): WaitingCalls => {
  const waiting = new Map<string, number>()
  return {
    limit: async (orderCode, call) => {
      const before = waiting.get(orderCode) ?? 0
      if (before >= WAITING_CALLS_MAX) return refuse('too_many_calls')
      waiting.set(orderCode, before + 1)
      try {
        return await call()
      } finally {
        const others = (waiting.get(orderCode) ?? 1) - 1
        if (others === 0) waiting.delete(orderCode)
        else waiting.set(orderCode, others)
      }
    },
  }
}
