/** Fake 3-D Secure servers: one in which no card is enrolled, and one that answers what a test sets. */
import type { Verdict } from '#payment/authentication-verdict.ts'
import type {
  ThreeDSAnswer,
  ThreeDSOrder,
  ThreeDSRequest,
  ThreeDSResult,
  ThreeDSServer,
  ThreeDSSession,
  ThreeDSStart,
} from '#payment/three-ds-port.ts'

const notExpected = async (): Promise<never> => {
  throw new Error('a card outside 3-D Secure is not authenticated')
}

/** Fake 3-D Secure server in which no card is enrolled, for tests that are about charges alone. */
export const neverEnrolledThreeDSServer: ThreeDSServer = {
  start: async () => ({ outcome: 'not_enrolled' }),
  event: () => ({ hint: 'nothing' }),
  authenticate: notExpected,
  result: notExpected,
  abandon: async () => {},
}

export const decidedOutcome = (transStatus: Verdict['transStatus'], more: Partial<Verdict> = {}) => {
  const verdict: Verdict = {
    transStatus,
    eci: '05',
    authenticationValue: 'AAABBZEEBgAAAAAAAAAAAAAAAAA=',
    dsTransId: 'ds-1',
    messageVersion: '2.2.0',
    reason: null,
    challengeCancel: null,
    ...more,
  }
  return { outcome: 'decided', verdict } as const
}

export const CHALLENGE_URL = 'https://3ds-server.example/challenge/1'

/** Scripted 3-D Secure server: answers what a test sets, and keeps every request. */
export interface ScriptedThreeDSServer extends ThreeDSServer {
  /** The next answers; a test changes them as it goes. */
  readonly answers: {
    start: ThreeDSStart | 'started'
    authenticate: ThreeDSAnswer | 'challenge'
    result: ThreeDSResult
  }
  readonly received: {
    readonly starts: ThreeDSOrder[]
    readonly authentications: ThreeDSRequest[]
    readonly results: ThreeDSSession[]
    readonly abandoned: string[]
  }
  /** Lets calls of `authenticate` hang until `release` is called. */
  holdAuthentications(): { release(): void }
}

export const scriptedThreeDSServer = (): ScriptedThreeDSServer => {
  let released = Promise.resolve()
  const received: ScriptedThreeDSServer['received'] = { starts: [], authentications: [], results: [], abandoned: [] }
  const answers: ScriptedThreeDSServer['answers'] = {
    start: 'started',
    authenticate: decidedOutcome('Y'),
    result: { outcome: 'pending' },
  }
  return {
    answers,
    received,
    holdAuthentications: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return { release: resolve }
    },
    start: async (order) => {
      received.starts.push(order)
      if (answers.start !== 'started') return answers.start
      const ids = { requestorTransId: `r-${order.orderCode}`, serverTransId: `s-${order.orderCode}` }
      const session = { ...ids, authUrl: 'https://3ds-server.example/auth', challenge: null }
      const pages = { collectUrl: 'https://3ds-server.example/collect', watchUrl: 'https://3ds-server.example/watch' }
      return { outcome: 'started', session, ...pages }
    },
    event: (_session, form) => {
      const name = form.get('event') ?? ''
      if (name === 'collected') return { hint: 'collected', collected: form.get('param') ?? null }
      if (name === 'ready') return { hint: 'result ready' }
      return name === 'swallowed' ? { hint: 'nothing' } : { hint: 'unknown', name }
    },
    authenticate: async (request) => {
      received.authentications.push(request)
      await released
      if (answers.authenticate !== 'challenge') return answers.authenticate
      const challenge = { monitorUrl: null, dsTransId: 'ds-1', messageVersion: '2.2.0' }
      return { outcome: 'challenge', session: { ...request.session, challenge }, challengeUrl: CHALLENGE_URL }
    },
    result: async (session) => {
      received.results.push(session)
      return answers.result
    },
    abandon: async (_session, challenge) => {
      received.abandoned.push(challenge)
    },
  }
}
