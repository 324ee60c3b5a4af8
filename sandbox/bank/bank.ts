/** Simulated issuing bank, its access control server (ACS): the 3DS method and the challenge, on its public host. */
import type { Origins } from '../http/hosts.ts'
import { postingPage } from '../http/html.ts'
import type { Call, Reply, Route } from '../http/router.ts'
import { decodeMessage, encodeMessage, SESSION_DATA_MAX_LENGTH } from '../three-ds/form-message.ts'
import {
  collectingBehaviourOf,
  endChallenge,
  keepChallengeOpen,
  METHOD_TIMEOUT_MS,
  WINDOW_SIZES,
  type Timing,
  type Transaction,
  type TransactionState,
  type TransactionStore,
} from '../three-ds/transactions.ts'
import { challengeEndedPage, challengePage, returnPage, type PageContext } from './challenge-page.ts'
import { CODE_ATTEMPTS_MAX, judgeSubmission } from './challenge-submission.ts'
import { chooseLanguage } from './words.ts'

type AuthenticatedState = Exclude<TransactionState, { at: 'started' }>

const METHOD_LATE_BY_MS = 1_000

export const bankRoutes = (transactions: TransactionStore, timing: Timing, origins: Origins): readonly Route[] => {
  const acceptLanguageOf = ({ header }: Call): string => header('accept-language') ?? ''
  const endedReply = (call: Call, status: 400 | 404): Reply =>
    challengeEndedPage(status, chooseLanguage('', acceptLanguageOf(call)), origins)

  const showMethodPage = (call: Call): Reply => {
    const message = decodeMessage(new URLSearchParams(call.body).get('threeDSMethodData') ?? '')
    const { threeDSServerTransID: serverTransId, threeDSMethodNotificationURL: notificationUrl } = message ?? {}
    if (typeof serverTransId !== 'string' || notificationUrl !== `${origins.threeDS}/method-notification`) {
      return endedReply(call, 400)
    }
    const transaction = transactions.find(serverTransId)
    if (transaction === undefined) return endedReply(call, 404)
    return postingPage({
      title: '3DS method',
      action: notificationUrl,
      fields: { threeDSMethodData: encodeMessage({ threeDSServerTransID: serverTransId }) },
      waitMs: methodWaitMs(transaction),
      csp: { formAction: [origins.threeDS], frameAncestors: [origins.threeDS, origins.checkouts] },
    })
  }

  /** When the 3DS method, which runs in a hidden frame of the collect page, posts back; null: never. */
  const methodWaitMs = (transaction: Transaction): number | null => {
    const collecting = collectingBehaviourOf(transaction)
    if (collecting === 'method_never_ends') return null
    return collecting === 'method_ends_late' ? timing.scale(METHOD_TIMEOUT_MS) + METHOD_LATE_BY_MS : 0
  }

  const pageContextOf = (
    call: Call,
    { purchase }: AuthenticatedState,
    size: unknown,
    sessionData: string,
  ): PageContext => ({
    language: chooseLanguage(purchase.language, acceptLanguageOf(call)),
    size: WINDOW_SIZES.find((known) => known === size) ?? '05',
    sessionData,
  })

  const returnToThreeDSServer = (
    transaction: Transaction,
    { purchase }: AuthenticatedState,
    passed: boolean,
    context: PageContext,
  ): Reply => {
    const cres = {
      messageType: 'CRes',
      messageVersion: purchase.messageVersion,
      threeDSServerTransID: transaction.serverTransId,
      acsTransID: transaction.acsTransId,
      challengeCompletionInd: 'Y',
      transStatus: passed ? 'Y' : 'N',
    }
    return returnPage(encodeMessage(cres), context, origins)
  }

  const openChallenge = (call: Call): Reply => {
    const form = new URLSearchParams(call.body)
    const { messageType, acsTransID, challengeWindowSize } = decodeMessage(form.get('creq') ?? '') ?? {}
    const sessionData = form.get('threeDSSessionData') ?? ''
    if (messageType !== 'CReq' || typeof acsTransID !== 'string' || sessionData.length > SESSION_DATA_MAX_LENGTH) {
      return endedReply(call, 400)
    }
    const transaction = transactions.findByAcsTransId(acsTransID)
    if (transaction === undefined || transaction.state.at === 'started') return endedReply(call, 404)
    const { state } = transaction
    const context = pageContextOf(call, state, challengeWindowSize, sessionData)
    if (state.at === 'decided') {
      return returnToThreeDSServer(transaction, state, state.verdict.transStatus === 'Y', context)
    }
    // A browser that may not show the page behaves as if the bank had never been asked.
    if (state.challenge !== 'not_frameable') {
      keepChallengeOpen(
        transaction,
        state,
        state.at === 'challenge_open' ? state.attemptsLeft : CODE_ATTEMPTS_MAX,
        timing,
      )
    }
    return challengePage(transaction, state, { about: 'nothing' }, context, origins)
  }

  const submitChallenge = (call: Call): Reply => {
    const form = new URLSearchParams(call.body)
    const sessionData = form.get('threeDSSessionData') ?? ''
    if (sessionData.length > SESSION_DATA_MAX_LENGTH) return endedReply(call, 400)
    const transaction = transactions.findByAcsTransId(form.get('acsTransID') ?? '')
    if (transaction === undefined) return endedReply(call, 404)
    const { state } = transaction
    if (state.at === 'started' || state.at === 'challenge_offered') return endedReply(call, 404)
    const context = pageContextOf(call, state, form.get('challengeWindowSize'), sessionData)
    if (state.at === 'decided') {
      return returnToThreeDSServer(transaction, state, state.verdict.transStatus === 'Y', context)
    }
    const result = judgeSubmission(
      state.challenge,
      state.attemptsLeft,
      form.get('action') ?? '',
      form.get('code') ?? '',
    )
    switch (result.next) {
      case 'ask_again':
        keepChallengeOpen(transaction, state, result.attemptsLeft, timing)
        return challengePage(transaction, state, result.message, context, origins)
      case 'end':
        endChallenge(transaction, result.outcome)
        return returnToThreeDSServer(transaction, state, result.outcome === 'right_code', context)
      case 'return_without_result':
        return returnToThreeDSServer(transaction, state, true, context)
    }
  }

  return [
    { method: 'POST', path: '/method', handle: showMethodPage },
    { method: 'POST', path: '/challenge', handle: openChallenge },
    { method: 'POST', path: '/challenge/answer', handle: submitChallenge },
  ]
}
