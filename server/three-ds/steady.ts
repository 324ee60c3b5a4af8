import type { ThreeDSServer, ThreeDSUnavailable } from '#payment/ports.ts'
import { errorFacts, type Log } from '../log.ts'

const UNAVAILABLE: ThreeDSUnavailable = { outcome: 'unavailable', why: 'the 3-D Secure adapter failed' }

/** An adapter that throws has told us nothing about the card holder, and nothing was charged. */
export const steadyThreeDS = (server: ThreeDSServer, log: Log): ThreeDSServer => {
  const steady = async <T>(ask: () => Promise<T>): Promise<T | ThreeDSUnavailable> => {
    try {
      return await ask()
    } catch (error) {
      log.error('the 3-D Secure adapter failed', errorFacts(error))
      return UNAVAILABLE
    }
  }
  return {
    event: (session, form) => server.event(session, form),
    start: (order) => steady(() => server.start(order)),
    authenticate: (request) => steady(() => server.authenticate(request)),
    result: (session) => steady(() => server.result(session)),
    abandon: async (session, challenge) => void (await steady(() => server.abandon(session, challenge))),
  }
}
