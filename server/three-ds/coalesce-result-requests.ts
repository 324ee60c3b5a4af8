/** Shared result questions: however many calls wait for the result of a challenge, one question is under way. */
import type { ThreeDSResult, ThreeDSServer } from '#payment/three-ds-port.ts'
import type { Elapsed } from '../dependencies.ts'

/** A result that was pending is not asked for again sooner: monitor calls come as fast as somebody sends them. */
const PENDING_KEPT_MS = 300

interface Shared {
  readonly answer: Promise<ThreeDSResult>
  /** Undefined while the question is under way. */
  pendingUntil?: number
}

export const coalesceResultRequests = (server: ThreeDSServer, elapsed: Elapsed): ThreeDSServer => {
  const shared = new Map<string, Shared>()
  /** Pending answers that have run out stand at the front: a map keeps the order in which its entries came. */
  const forgetPassed = (now: number): void => {
    for (const [session, { pendingUntil }] of shared) {
      if (pendingUntil === undefined) continue
      if (pendingUntil > now) return
      shared.delete(session)
    }
  }
  const ask = (...asked: Parameters<ThreeDSServer['result']>): Promise<ThreeDSResult> => {
    const [session] = asked
    const key = session.serverTransId
    const entry: Shared = {
      answer: server.result(...asked).then(
        (result) => {
          shared.delete(key)
          if (result.outcome === 'pending') shared.set(key, { ...entry, pendingUntil: elapsed() + PENDING_KEPT_MS })
          return result
        },
        (error: unknown) => {
          shared.delete(key)
          throw error
        },
      ),
    }
    shared.set(key, entry)
    return entry.answer
  }
  return {
    ...server,
    result: (session, account) => {
      forgetPassed(elapsed())
      return shared.get(session.serverTransId)?.answer ?? ask(session, account)
    },
  }
}
