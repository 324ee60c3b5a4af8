import type { ThreeDSServer, ThreeDSUnavailable } from '#payment/ports.ts'
import type { Log } from '../log.ts'
import { errorsAsOutcome } from '../errors-as-outcome.ts'

const FAILED = 'the 3-D Secure adapter failed'
const UNAVAILABLE: ThreeDSUnavailable = { outcome: 'unavailable', why: FAILED }

/** An adapter that throws has told us nothing about the card holder, and nothing was charged. */
export const errorsAsUnavailable = (server: ThreeDSServer, log: Log): ThreeDSServer => {
  const steady = errorsAsOutcome(log, FAILED, UNAVAILABLE)
  return {
    event: (session, form) => server.event(session, form),
    start: (order) => steady(() => server.start(order)),
    authenticate: (request) => steady(() => server.authenticate(request)),
    result: (session) => steady(() => server.result(session)),
    abandon: async (session, challenge) => void (await steady(() => server.abandon(session, challenge))),
  }
}
