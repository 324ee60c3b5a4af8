import { brandOf, scenarioOf } from '../cards/cards.ts'
import type { Origins } from '../http/hosts.ts'
import { openRequestLog } from './request-log.ts'
import { type Call, json, type Reply, type Route, stayOnTheLine } from '../http/router.ts'
import type { Scenario, Trouble } from '../cards/scenarios.ts'
import { errorCodes, type Fault, fault, refuse, stumble } from './errors.ts'
import { type Auth, messageVersions, readAuth, readEnrol, readInit, readStatus } from './requests.ts'
import {
  collectingOf,
  endChallenge,
  offerChallenge,
  type Timing,
  type Transaction,
  type Transactions,
} from './transactions.ts'
import { verdictWithoutChallenge } from './verdicts.ts'

const authHoldMs = 60_000
const leastAuthHoldMs = 2_000

const unknownTransaction = fault(errorCodes.unknownTransaction, 'threeDSServerTransID', 'is not known')
const notAuthenticated = fault(errorCodes.transactionData, 'threeDSServerTransID', 'has not been authenticated yet')

const troubleOf = (scenario: Scenario): Trouble => (scenario.enrolled ? scenario.trouble : 'none')

/** True once for a transaction whose card has this trouble. */
const stumblesNow = (transaction: Transaction, trouble: Trouble): boolean => {
  if (transaction.stumbled || troubleOf(transaction.scenario) !== trouble) return false
  transaction.stumbled = true
  return true
}

const references = { acsReferenceNumber: 'SANDBOX_ACS_0001', dsReferenceNumber: 'SANDBOX_DS_0001' }

/** The API that a requestor's server calls, browser channel, version 2. */
export const threeDSApi = (transactions: Transactions, timing: Timing, { threeDS }: Origins): readonly Route[] => {
  const enrol = ({ body }: Call): Reply => {
    const request = readEnrol(body)
    if (request.kind === 'fault') return refuse(request)
    const { enrolled } = scenarioOf(request.number)
    return json(200, {
      enrolmentStatus: enrolled ? '01' : '00',
      supportedMessageVersions: enrolled ? messageVersions : [],
    })
  }

  const init = ({ body, query, origin }: Call): Reply => {
    const request = readInit(body, query)
    if (request.kind === 'fault') return refuse(request)
    const { terms, skipsCollecting } = request
    const scenario = scenarioOf(terms.number)
    if (!scenario.enrolled && scenario.init === 'not_participating') {
      return refuse(fault(errorCodes.notParticipating, 'acctNumber', 'does not take part'))
    }
    if (troubleOf(scenario) === 'init_unavailable') return stumble('unavailable')
    const transaction = transactions.start(terms)
    const { serverTransId } = transaction
    const hasMethod = collectingOf(transaction) !== 'no_method'
    return json(200, {
      threeDSServerTransID: serverTransId,
      authUrl: `${origin}/api/v2/auth/brw?transId=${serverTransId}`,
      ...(skipsCollecting && !hasMethod
        ? {}
        : { threeDSServerCallbackUrl: `${threeDS}/collect?transId=${serverTransId}` }),
      monUrl: `${threeDS}/watch?transId=${serverTransId}`,
      threeDSMethodAvailable: hasMethod,
      resolvedCardScheme: brandOf(terms.number),
    })
  }

  const auth = (call: Call): Reply | Promise<Reply> => {
    const transaction = transactions.find(call.query.get('transId') ?? '')
    if (!transaction) return refuse(unknownTransaction)
    const { serverTransId, scenario } = transaction
    const request = readAuth(call.body)
    if (request.kind === 'fault') return refuse(request, serverTransId)
    const mismatch = mismatchOf(request, transaction)
    if (mismatch) return refuse(mismatch, serverTransId)
    if (troubleOf(scenario) === 'auth_hangs') {
      return stayOnTheLine(Math.max(leastAuthHoldMs, timing.scaled(authHoldMs)), call.clientGone)
    }
    if (stumblesNow(transaction, 'auth_fails_once')) return stumble('failed', serverTransId)
    return authenticate(transaction, request, call.origin)
  }

  const authenticate = (transaction: Transaction, request: Auth, origin: string): Reply => {
    const { serverTransId, acsTransId, dsTransId, scenario, terms } = transaction
    const { amount, merchantName, messageVersion, browser } = request
    const purchase = { amount, merchantName, messageVersion, language: browser.language }
    const answer = { threeDSServerTransID: serverTransId, dsTransID: dsTransId, acsTransID: acsTransId, messageVersion }
    if (scenario.enrolled && scenario.issuer.asks === 'challenge') {
      const { challenge } = scenario.issuer
      offerChallenge(transaction, purchase, challenge, timing)
      return json(200, {
        ...answer,
        ...references,
        transStatus: 'C',
        authenticationType: challenge === 'out_of_band' ? '03' : '02',
        acsChallengeMandated: 'Y',
        challengeUrl: `${threeDS}/challenge?transId=${serverTransId}`,
        resultMonUrl: `${origin}/api/v2/auth/brw/result/monitor?threeDSServerTransID=${serverTransId}`,
      })
    }
    // A directory server stands in for a bank that does not take part: an attempt.
    const decision = scenario.enrolled && scenario.issuer.asks === 'nothing' ? scenario.issuer.decision : 'attempted'
    const verdict = verdictWithoutChallenge(terms.number, decision)
    transaction.state = { at: 'decided', purchase, verdict }
    return json(200, { ...answer, ...references, acsChallengeMandated: 'N', ...verdict })
  }

  const result = ({ query }: Call): Reply => {
    const transaction = transactions.find(query.get('threeDSServerTransID') ?? '')
    if (!transaction) return refuse(unknownTransaction)
    const { serverTransId, acsTransId, dsTransId, state, scenario } = transaction
    if (state.at === 'started') return refuse(notAuthenticated, serverTransId)
    const { messageVersion } = state.purchase
    const names = { threeDSServerTransID: serverTransId, acsTransID: acsTransId }
    if (state.at !== 'decided') return json(200, { ...names, dsTransID: dsTransId, messageVersion, transStatus: 'C' })
    if (stumblesNow(transaction, 'result_fails_once')) return stumble('unavailable', serverTransId)
    const isShort = troubleOf(scenario) === 'short_result'
    return json(200, { ...names, ...(isShort ? {} : { dsTransID: dsTransId, messageVersion }), ...state.verdict })
  }

  const monitor = ({ query }: Call): Reply => {
    const transaction = transactions.find(query.get('threeDSServerTransID') ?? '')
    const event = transaction?.state.at === 'decided' ? 'AuthResultReady' : 'AuthResultNotReady'
    return json(200, { event }, { 'Access-Control-Allow-Origin': '*' })
  }

  const challengeStatus = ({ body }: Call): Reply => {
    const request = readStatus(body)
    if (request.kind === 'fault') return refuse(request)
    const { serverTransId, status } = request
    const transaction = transactions.find(serverTransId)
    if (!transaction) return refuse(unknownTransaction)
    if (transaction.state.at === 'started') return refuse(notAuthenticated, serverTransId)
    endChallenge(transaction, status === 'CReqNotSent' ? 'not_opened' : 'result_not_delivered')
    return json(200, { threeDSServerTransID: serverTransId, status })
  }

  const log = openRequestLog(transactions)
  const api = '/api/v2/auth'
  const logged: readonly Route[] = [
    { method: 'POST', path: `${api}/enrol`, handle: enrol },
    { method: 'POST', path: `${api}/brw/init`, handle: init },
    { method: 'POST', path: `${api}/brw`, handle: auth },
    { method: 'GET', path: `${api}/brw/result`, handle: result },
    { method: 'POST', path: `${api}/challenge/status`, handle: challengeStatus },
  ]
  return [...logged.map(log.logged), { method: 'GET', path: `${api}/brw/result/monitor`, handle: monitor }, log.route]
}

const mismatchOf = (request: Auth, { serverTransId, terms, state }: Transaction): Fault | undefined => {
  if (request.serverTransId !== serverTransId) {
    return fault(errorCodes.unknownTransaction, 'threeDSServerTransID', 'is not the one of this address')
  }
  if (request.requestorTransId !== terms.requestorTransId) {
    return fault(errorCodes.unknownRequestorTransaction, 'threeDSRequestorTransID', 'is not the one of init')
  }
  if (request.number !== terms.number) return fault(errorCodes.transactionData, 'acctNumber', 'is not the card of init')
  if (request.merchantId !== terms.merchantId) {
    return fault(errorCodes.transactionData, 'merchantId', 'is not the merchant of init')
  }
  return state.at === 'started'
    ? undefined
    : fault(errorCodes.transactionData, 'threeDSServerTransID', 'has been authenticated before')
}
