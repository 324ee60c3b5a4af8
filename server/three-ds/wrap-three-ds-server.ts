/** Wraps the adapter of a 3-D Secure server: exceptions become outcomes, and calls for one result share one request. */
import type { ThreeDSServer, ThreeDSUnavailable } from '#payment/three-ds-port.ts'
import type { Elapsed } from '../dependencies.ts'
import { outcomeOnError, type Log } from '../log.ts'
import { coalesceResultRequests } from './coalesce-result-requests.ts'

const FAILED = 'the 3-D Secure adapter failed'
const UNAVAILABLE: ThreeDSUnavailable = { outcome: 'unavailable', why: FAILED }

/** After an exception in the adapter nothing is known of the card holder, and nothing was charged. */
export const errorsAsUnavailable = (server: ThreeDSServer, log: Log): ThreeDSServer => {
  const catching = outcomeOnError(log, FAILED, UNAVAILABLE)
  return {
    event: (session, form) => server.event(session, form),
    start: (order) => catching(() => server.start(order)),
    authenticate: (request) => catching(() => server.authenticate(request)),
    result: (session, account) => catching(() => server.result(session, account)),
    abandon: async (...told) => void (await catching(() => server.abandon(...told))),
  }
}

export const wrapThreeDSServer = (adapter: ThreeDSServer, log: Log, elapsed: Elapsed): ThreeDSServer =>
  coalesceResultRequests(errorsAsUnavailable(adapter, log), elapsed)
