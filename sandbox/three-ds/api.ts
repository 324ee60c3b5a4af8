/** 3-D Secure server API: the calls of a requestor's server, browser channel, version 2. */
import { brandOf, threeDSScenarioOf } from '../cards/cards.ts'
import type { ChallengeKind, InjectedFault, ThreeDSScenario } from '../cards/scenarios.ts'
import type { Origins } from '../http/hosts.ts'
import { holdConnection, json, type Call, type Reply, type Route } from '../http/router.ts'
import { errorReply, failureReply, protocolError, type ProtocolError } from './errors.ts'
import type { RequestLog } from './request-log.ts'
import {
  MESSAGE_VERSIONS,
  parseAuthRequest,
  parseChallengeStatusRequest,
  parseEnrolRequest,
  parseInitRequest,
  type AuthRequest,
} from './requests.ts'
import {
  collectingBehaviourOf,
  endChallenge,
  offerChallenge,
  type Timing,
  type Transaction,
  type TransactionStore,
} from './transactions.ts'
import { frictionlessVerdict } from './verdicts.ts'

const AUTH_HOLD_MS = 60_000
const AUTH_HOLD_MIN_MS = 2_000

const UNKNOWN_TRANSACTION = protocolError('unknownTransaction', 'threeDSServerTransID', 'is not known')
const NOT_AUTHENTICATED = protocolError('transactionData', 'threeDSServerTransID', 'has not been authenticated yet')

const injectedFaultOf = (scenario: ThreeDSScenario): InjectedFault => (scenario.enrolled ? scenario.fault : 'none')

/** True once for a transaction whose card has this fault: the retry succeeds. */
const failsThisOnce = (transaction: Transaction, fault: InjectedFault): boolean => {
  if (transaction.hasFailedOnce || injectedFaultOf(transaction.scenario) !== fault) return false
  transaction.hasFailedOnce = true
  return true
}

const REFERENCE_NUMBERS = { acsReferenceNumber: 'SANDBOX_ACS_0001', dsReferenceNumber: 'SANDBOX_DS_0001' }

/** A bank that is sure of the card holder asks nevertheless where the merchant demands it. */
const challengeFor = (scenario: ThreeDSScenario, { isChallengeMandatory }: AuthRequest): ChallengeKind | undefined => {
  if (!scenario.enrolled) return undefined
  const { issuer } = scenario
  if (issuer.flow === 'challenge') return issuer.challenge
  const isSure = issuer.decision === 'authenticated' || issuer.decision === 'attempted'
  return isChallengeMandatory && isSure ? 'code' : undefined
}

export const threeDSApiRoutes = (
  transactions: TransactionStore,
  timing: Timing,
  { threeDS }: Origins,
  log: RequestLog | null,
): readonly Route[] => {
  const enrol = ({ body }: Call): Reply => {
    const request = parseEnrolRequest(body)
    if (request.kind === 'error') return errorReply(request)
    const { enrolled } = threeDSScenarioOf(request.number)
    return json(200, {
      enrolmentStatus: enrolled ? '01' : '00',
      supportedMessageVersions: enrolled ? MESSAGE_VERSIONS : [],
    })
  }

  const init = ({ body, query, origin }: Call): Reply => {
    const request = parseInitRequest(body, query)
    if (request.kind === 'error') return errorReply(request)
    const { fields, skipsCollecting } = request
    const scenario = threeDSScenarioOf(fields.number)
    if (!scenario.enrolled && scenario.init === 'not_participating') {
      return errorReply(protocolError('notParticipating', 'acctNumber', 'does not take part'))
    }
    if (injectedFaultOf(scenario) === 'init_unavailable') return failureReply('unavailable')
    const transaction = transactions.start(fields)
    const { serverTransId } = transaction
    const hasMethod = collectingBehaviourOf(transaction) !== 'no_method'
    return json(200, {
      threeDSServerTransID: serverTransId,
      authUrl: `${origin}/api/v2/auth/brw?transId=${serverTransId}`,
      ...(skipsCollecting && !hasMethod
        ? {}
        : { threeDSServerCallbackUrl: `${threeDS}/collect?transId=${serverTransId}` }),
      monUrl: `${threeDS}/watch?transId=${serverTransId}`,
      threeDSMethodAvailable: hasMethod,
      resolvedCardScheme: brandOf(fields.number),
    })
  }

  const auth = (call: Call): Reply | Promise<Reply> => {
    const transaction = transactions.find(call.query.get('transId') ?? '')
    if (transaction === undefined) return errorReply(UNKNOWN_TRANSACTION)
    const { serverTransId, scenario } = transaction
    const request = parseAuthRequest(call.body)
    if (request.kind === 'error') return errorReply(request, serverTransId)
    const mismatch = mismatchOf(request, transaction)
    if (mismatch !== undefined) return errorReply(mismatch, serverTransId)
    if (injectedFaultOf(scenario) === 'auth_never_answers') {
      return holdConnection(Math.max(AUTH_HOLD_MIN_MS, timing.scale(AUTH_HOLD_MS)), call.clientGone)
    }
    if (failsThisOnce(transaction, 'auth_fails_once')) return failureReply('failed', serverTransId)
    return authenticate(transaction, request, call.origin)
  }

  const authenticate = (transaction: Transaction, request: AuthRequest, origin: string): Reply => {
    const { serverTransId, acsTransId, dsTransId, scenario } = transaction
    const { amount, merchantName, messageVersion, browser } = request
    const purchase = { amount, merchantName, messageVersion, language: browser.language }
    const common = { threeDSServerTransID: serverTransId, dsTransID: dsTransId, acsTransID: acsTransId, messageVersion }
    const challenge = challengeFor(scenario, request)
    if (challenge !== undefined) {
      offerChallenge(transaction, purchase, challenge, timing)
      return json(200, {
        ...common,
        ...REFERENCE_NUMBERS,
        transStatus: 'C',
        authenticationType: challenge === 'out_of_band' ? '03' : '02',
        acsChallengeMandated: 'Y',
        challengeUrl: `${threeDS}/challenge?transId=${serverTransId}`,
        resultMonUrl: `${origin}/api/v2/auth/brw/result/monitor?threeDSServerTransID=${serverTransId}`,
      })
    }
    // A directory server stands in for a bank that does not take part: an attempt.
    const decision =
      scenario.enrolled && scenario.issuer.flow === 'frictionless' ? scenario.issuer.decision : 'attempted'
    const verdict = frictionlessVerdict(transaction.init.number, decision)
    transaction.state = { at: 'decided', purchase, verdict }
    return json(200, { ...common, ...REFERENCE_NUMBERS, acsChallengeMandated: 'N', ...verdict })
  }

  const result = ({ query }: Call): Reply => {
    const transaction = transactions.find(query.get('threeDSServerTransID') ?? '')
    if (transaction === undefined) return errorReply(UNKNOWN_TRANSACTION)
    const { serverTransId, acsTransId, dsTransId, state, scenario } = transaction
    if (state.at === 'started') return errorReply(NOT_AUTHENTICATED, serverTransId)
    const { messageVersion } = state.purchase
    const ids = { threeDSServerTransID: serverTransId, acsTransID: acsTransId }
    if (state.at !== 'decided') return json(200, { ...ids, dsTransID: dsTransId, messageVersion, transStatus: 'C' })
    if (failsThisOnce(transaction, 'result_fails_once')) return failureReply('unavailable', serverTransId)
    const isIncomplete = injectedFaultOf(scenario) === 'result_incomplete'
    return json(200, { ...ids, ...(isIncomplete ? {} : { dsTransID: dsTransId, messageVersion }), ...state.verdict })
  }

  const monitor = ({ query }: Call): Reply => {
    const transaction = transactions.find(query.get('threeDSServerTransID') ?? '')
    const event = transaction?.state.at === 'decided' ? 'AuthResultReady' : 'AuthResultNotReady'
    return json(200, { event }, { 'Access-Control-Allow-Origin': '*' })
  }

  const challengeStatus = ({ body }: Call): Reply => {
    const request = parseChallengeStatusRequest(body)
    if (request.kind === 'error') return errorReply(request)
    const { serverTransId, status } = request
    const transaction = transactions.find(serverTransId)
    if (transaction === undefined) return errorReply(UNKNOWN_TRANSACTION)
    if (transaction.state.at === 'started') return errorReply(NOT_AUTHENTICATED, serverTransId)
    endChallenge(transaction, status === 'CReqNotSent' ? 'not_opened' : 'result_not_delivered')
    return json(200, { threeDSServerTransID: serverTransId, status })
  }

  const api = '/api/v2/auth'
  const loggedRoutes: readonly Route[] = [
    { method: 'POST', path: `${api}/enrol`, handle: enrol },
    { method: 'POST', path: `${api}/brw/init`, handle: init },
    { method: 'POST', path: `${api}/brw`, handle: auth },
    { method: 'GET', path: `${api}/brw/result`, handle: result },
    { method: 'POST', path: `${api}/challenge/status`, handle: challengeStatus },
  ]
  return [
    ...(log === null ? loggedRoutes : loggedRoutes.map(log.withLog)),
    { method: 'GET', path: `${api}/brw/result/monitor`, handle: monitor },
  ]
}

const mismatchOf = (request: AuthRequest, { serverTransId, init, state }: Transaction): ProtocolError | undefined => {
  if (request.serverTransId !== serverTransId) {
    return protocolError('unknownTransaction', 'threeDSServerTransID', 'is not the one of this address')
  }
  if (request.requestorTransId !== init.requestorTransId) {
    return protocolError('unknownRequestorTransaction', 'threeDSRequestorTransID', 'is not the one of init')
  }
  if (request.number !== init.number) return protocolError('transactionData', 'acctNumber', 'is not the card of init')
  if (request.merchantId !== init.merchantId) {
    return protocolError('transactionData', 'merchantId', 'is not the merchant of init')
  }
  return state.at === 'started'
    ? undefined
    : protocolError('transactionData', 'threeDSServerTransID', 'has been authenticated before')
}
