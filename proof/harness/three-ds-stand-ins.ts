import type { Verdict } from '#payment/verdict.ts'
import type {
  ThreeDSAnswer,
  ThreeDSOrder,
  ThreeDSRequest,
  ThreeDSResult,
  ThreeDSServer,
  ThreeDSSession,
  ThreeDSStart,
} from '#payment/ports.ts'

const never = async (): Promise<never> => {
  throw new Error('a card outside 3-D Secure is not authenticated')
}

/** A world without 3-D Secure, for tests that are about money alone. */
export const noCardEnrolled: ThreeDSServer = {
  start: async () => ({ outcome: 'not_enrolled' }),
  event: () => ({ hint: 'nothing' }),
  authenticate: never,
  result: never,
  abandon: async () => {},
}

const verdictOf = (transStatus: Verdict['transStatus'], more: Partial<Verdict> = {}): Verdict => ({
  transStatus,
  eci: '05',
  authenticationValue: 'AAABBZEEBgAAAAAAAAAAAAAAAAA=',
  dsTransId: 'ds-1',
  messageVersion: '2.2.0',
  reason: null,
  challengeCancel: null,
  ...more,
})

export const decided = (transStatus: Verdict['transStatus'], more: Partial<Verdict> = {}) =>
  ({ outcome: 'decided', verdict: verdictOf(transStatus, more) }) as const

export const CHALLENGE_URL = 'https://3ds-server.example/challenge/1'

/** A 3-D Secure server that says what a test tells it to, and remembers what it was asked. */
export interface ScriptedThreeDS extends ThreeDSServer {
  /** What comes next; a test changes them as it goes. */
  says: {
    start: ThreeDSStart | 'started'
    authenticate: ThreeDSAnswer | 'challenge'
    result: ThreeDSResult
  }
  readonly asked: {
    readonly starts: ThreeDSOrder[]
    readonly authentications: ThreeDSRequest[]
    readonly results: ThreeDSSession[]
    readonly abandoned: string[]
  }
  /** Lets calls of `authenticate` hang until `release` is called. */
  hold(): { release(): void }
}

export const scriptedThreeDS = (): ScriptedThreeDS => {
  let gate = Promise.resolve()
  const asked: ScriptedThreeDS['asked'] = { starts: [], authentications: [], results: [], abandoned: [] }
  const says: ScriptedThreeDS['says'] = {
    start: 'started',
    authenticate: decided('Y'),
    result: { outcome: 'pending' },
  }
  return {
    says,
    asked,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return { release: resolve }
    },
    start: async (order) => {
      asked.starts.push(order)
      if (says.start !== 'started') return says.start
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
      asked.authentications.push(request)
      await gate
      if (says.authenticate !== 'challenge') return says.authenticate
      const challenge = { monitorUrl: null, dsTransId: 'ds-1', messageVersion: '2.2.0' }
      return { outcome: 'challenge', session: { ...request.session, challenge }, challengeUrl: CHALLENGE_URL }
    },
    result: async (session) => {
      asked.results.push(session)
      return says.result
    },
    abandon: async (_session, challenge) => {
      asked.abandoned.push(challenge)
    },
  }
}
