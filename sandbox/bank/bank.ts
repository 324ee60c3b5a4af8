import { challengePage, endedPage, leavingPage, type Sheet } from './challenge-page.ts'
import { chooseLanguage } from './words.ts'
import { judgeAnswer, type Remark, tries } from './challenge-answers.ts'
import { decodeMessage, encodeMessage, sessionDataMost } from '../three-ds/field-reader.ts'
import type { Origins } from '../http/hosts.ts'
import { type MethodEnd, methodPage } from './method-page.ts'
import type { Call, Reply, Route } from '../http/router.ts'
import {
  collectingOf,
  endChallenge,
  keepChallengeOpen,
  methodLimitMs,
  windowSizes,
  type AskedState,
  type State,
  type Timing,
  type Transaction,
  type Transactions,
} from '../three-ds/transactions.ts'

const lateByMs = 1_000

/** The public host of the pretend bank, the issuer's access control server: its 3DS method and its challenge. */
export const bankPages = (transactions: Transactions, timing: Timing, origins: Origins): readonly Route[] => {
  const acceptedBy = ({ header }: Call): string => header('accept-language') ?? ''
  const ended = (call: Call, status: 400 | 404): Reply =>
    endedPage(status, chooseLanguage('', acceptedBy(call)), origins)

  const method = (call: Call): Reply => {
    const message = decodeMessage(new URLSearchParams(call.body).get('threeDSMethodData') ?? '')
    const { threeDSServerTransID: serverTransId, threeDSMethodNotificationURL: notificationUrl } = message ?? {}
    if (typeof serverTransId !== 'string' || notificationUrl !== `${origins.threeDS}/method-notification`) {
      return ended(call, 400)
    }
    const transaction = transactions.find(serverTransId)
    if (!transaction) return ended(call, 404)
    return methodPage(notificationUrl, serverTransId, methodEndOf(transaction), origins)
  }

  const methodEndOf = (transaction: Transaction): MethodEnd => {
    const collecting = collectingOf(transaction)
    if (collecting === 'method_never_ends') return { ends: 'never' }
    const late = collecting === 'method_ends_late'
    return { ends: 'after', waitMs: late ? timing.scaled(methodLimitMs) + lateByMs : 0 }
  }

  const sheetOf = (call: Call, { purchase }: Authenticated, size: unknown, sessionData: string): Sheet => ({
    language: chooseLanguage(purchase.language, acceptedBy(call)),
    size: windowSizes.find((known) => known === size) ?? '05',
    sessionData,
  })

  const ask = (transaction: Transaction, state: AskedState, remark: Remark, sheet: Sheet): Reply =>
    challengePage({ transaction, purchase: state.purchase, challenge: state.challenge, remark }, sheet, origins)

  const leave = (transaction: Transaction, { purchase }: Authenticated, passed: boolean, sheet: Sheet): Reply => {
    const cres = {
      messageType: 'CRes',
      messageVersion: purchase.messageVersion,
      threeDSServerTransID: transaction.serverTransId,
      acsTransID: transaction.acsTransId,
      challengeCompletionInd: 'Y',
      transStatus: passed ? 'Y' : 'N',
    }
    return leavingPage(encodeMessage(cres), sheet, origins)
  }

  const open = (call: Call): Reply => {
    const form = new URLSearchParams(call.body)
    const { messageType, acsTransID, challengeWindowSize } = decodeMessage(form.get('creq') ?? '') ?? {}
    const sessionData = form.get('threeDSSessionData') ?? ''
    if (messageType !== 'CReq' || typeof acsTransID !== 'string' || sessionData.length > sessionDataMost) {
      return ended(call, 400)
    }
    const transaction = transactions.findByAcs(acsTransID)
    if (!transaction || transaction.state.at === 'started') return ended(call, 404)
    const { state } = transaction
    const sheet = sheetOf(call, state, challengeWindowSize, sessionData)
    if (state.at === 'decided') return leave(transaction, state, state.verdict.transStatus === 'Y', sheet)
    // A browser that may not show the page behaves as if the bank had never been asked.
    if (state.challenge !== 'not_frameable') {
      keepChallengeOpen(transaction, state, state.at === 'challenge_open' ? state.triesLeft : tries, timing)
    }
    return ask(transaction, state, { about: 'nothing' }, sheet)
  }

  const answer = (call: Call): Reply => {
    const form = new URLSearchParams(call.body)
    const sessionData = form.get('threeDSSessionData') ?? ''
    if (sessionData.length > sessionDataMost) return ended(call, 400)
    const transaction = transactions.findByAcs(form.get('acsTransID') ?? '')
    const state = transaction?.state
    if (!transaction || !state || state.at === 'started' || state.at === 'challenge_offered') return ended(call, 404)
    const sheet = sheetOf(call, state, form.get('challengeWindowSize'), sessionData)
    if (state.at === 'decided') return leave(transaction, state, state.verdict.transStatus === 'Y', sheet)
    const judged = judgeAnswer(state.challenge, state.triesLeft, form.get('action') ?? '', form.get('code') ?? '')
    switch (judged.next) {
      case 'ask_again':
        keepChallengeOpen(transaction, state, judged.triesLeft, timing)
        return ask(transaction, state, judged.remark, sheet)
      case 'end':
        endChallenge(transaction, judged.end)
        return leave(transaction, state, judged.end === 'right_code', sheet)
      case 'leave_unnoted':
        return leave(transaction, state, true, sheet)
    }
  }

  return [
    { method: 'POST', path: '/method', handle: method },
    { method: 'POST', path: '/challenge', handle: open },
    { method: 'POST', path: '/challenge/answer', handle: answer },
  ]
}

type Authenticated = Exclude<State, { at: 'started' }>
