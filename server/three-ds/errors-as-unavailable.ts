/** Errors as unavailable: after an exception in the adapter nothing is known of the card holder, and nothing was charged. */
import type { ThreeDSServer, ThreeDSUnavailable } from '#payment/ports.ts'
import type { Log } from '../log.ts'
import { errorsAsOutcome } from '../errors-as-outcome.ts'

const FAILED = 'the 3-D Secure adapter failed'
const UNAVAILABLE: ThreeDSUnavailable = { outcome: 'unavailable', why: FAILED }

export const errorsAsUnavailable = (server: ThreeDSServer, log: Log): ThreeDSServer => {
  const catching = errorsAsOutcome(log, FAILED, UNAVAILABLE)
  return {
    event: (session, form) => server.event(session, form),
    start: (order) => catching(() => server.start(order)),
    authenticate: (request) => catching(() => server.authenticate(request)),
    result: (session) => catching(() => server.result(session)),
    abandon: async (session, challenge) => void (await catching(() => server.abandon(session, challenge))),
  }
}
