/** Public host of the 3-D Secure server: pages in the frames of a checkout. */
import type { Origins } from '../http/hosts.ts'
import { hiddenFields, html, htmlPage, postingPage } from '../http/html.ts'
import { holdConnection, type Call, type Reply, type Route } from '../http/router.ts'
import {
  collectPage,
  emptyPage,
  eventFields,
  methodEndedPage,
  originOf,
  timedOutPage,
  watchPage,
  type BrowserHeaders,
} from './collect-page.ts'
import { decodeMessage, encodeMessage, SESSION_DATA_MAX_LENGTH } from './form-message.ts'
import {
  collectingBehaviourOf,
  markCollected,
  METHOD_TIMEOUT_MS,
  type Timing,
  type Transaction,
  type TransactionStore,
} from './transactions.ts'

const NO_ANSWER_HOLD_MS = 60_000

export const threeDSPageRoutes = (
  transactions: TransactionStore,
  timing: Timing,
  origins: Origins,
): readonly Route[] => {
  const unknownTransactionPage = (): Reply => emptyPage('3-D Secure: unknown transaction', origins, 404)
  const unreadableMessagePage = (): Reply => emptyPage('3-D Secure: unreadable message', origins, 400)

  const withTransaction =
    (answer: (transaction: Transaction, call: Call) => Reply | Promise<Reply>): Route['handle'] =>
    (call) => {
      const transaction = transactions.find(call.query.get('transId') ?? '')
      return transaction === undefined ? unknownTransactionPage() : answer(transaction, call)
    }

  const collect = withTransaction((transaction, call) => {
    const collecting = collectingBehaviourOf(transaction)
    if (collecting === 'never_answers') return holdConnection(timing.scale(NO_ANSWER_HOLD_MS), call.clientGone)
    if (collecting === 'no_method' || collecting === 'unknown_event') markCollected(transaction)
    return collectPage(transaction, browserHeadersOf(call), origins)
  })

  const watch = withTransaction((transaction, call) =>
    collectingBehaviourOf(transaction) === 'never_answers'
      ? holdConnection(timing.scale(NO_ANSWER_HOLD_MS), call.clientGone)
      : watchPage(transaction, timing.scale(METHOD_TIMEOUT_MS), origins),
  )

  const watchEnded = withTransaction((transaction) => {
    const { state } = transaction
    return state.at === 'started' && !state.collected
      ? timedOutPage(transaction, origins)
      : emptyPage('3-D Secure: nothing to watch', origins)
  })

  const methodNotification = ({ body }: Call): Reply => {
    const message = decodeMessage(new URLSearchParams(body).get('threeDSMethodData') ?? '')
    if (message === undefined) return unreadableMessagePage()
    const transaction = transactions.find(textOf(message['threeDSServerTransID']))
    if (transaction === undefined) return unknownTransactionPage()
    markCollected(transaction)
    return methodEndedPage(origins)
  }

  const challenge = withTransaction((transaction, call) => {
    if (transaction.state.at === 'started') return unknownTransactionPage()
    const sessionData = call.query.get('tds-session-data') ?? ''
    if (sessionData.length > SESSION_DATA_MAX_LENGTH) return unreadableMessagePage()
    const creq = encodeMessage({
      messageType: 'CReq',
      messageVersion: transaction.state.purchase.messageVersion,
      threeDSServerTransID: transaction.serverTransId,
      acsTransID: transaction.acsTransId,
      challengeWindowSize: transaction.init.windowSize,
    })
    return postingPage({
      title: '3-D Secure: to the bank',
      action: `${origins.bank}/challenge`,
      fields: { creq, threeDSSessionData: sessionData },
      csp: { formAction: [origins.bank], frameAncestors: [origins.checkouts] },
    })
  })

  const challengeNotification = ({ body }: Call): Reply => {
    const form = new URLSearchParams(body)
    const cres = decodeMessage(form.get('cres') ?? '')
    const sessionData = form.get('threeDSSessionData') ?? ''
    if (cres === undefined || sessionData.length > SESSION_DATA_MAX_LENGTH) return unreadableMessagePage()
    const transaction = transactions.find(textOf(cres['threeDSServerTransID']))
    return transaction === undefined ? unknownTransactionPage() : resultEventPage(transaction, sessionData, origins)
  }

  return [
    { method: 'GET', path: '/collect', handle: collect },
    { method: 'GET', path: '/watch', handle: watch },
    { method: 'POST', path: '/watch', handle: watchEnded },
    { method: 'POST', path: '/method-notification', handle: methodNotification },
    { method: 'GET', path: '/challenge', handle: challenge },
    { method: 'POST', path: '/challenge-notification', handle: challengeNotification },
  ]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const browserHeadersOf = ({ header, clientAddress }: Call): BrowserHeaders => ({
  accept: (header('accept') ?? '*/*').slice(0, 2048),
  userAgent: (header('user-agent') ?? 'unknown').slice(0, 2048),
  address: clientAddress,
})

/** Event through the browser: the requestor can now read the result. */
const resultEventPage = (transaction: Transaction, sessionData: string, origins: Origins): Reply => {
  const { scenario, init } = transaction
  const kind = scenario.enrolled && scenario.issuer.flow === 'challenge' ? scenario.issuer.challenge : 'code'
  const event = kind === 'unknown_event' ? 'SomethingElse' : 'AuthResultReady'
  const fields = hiddenFields(eventFields(transaction, event, sessionData))
  const eventOrigin = originOf(init.eventUrl)
  const repeatedEventForm = html`<iframe name="echo-frame" title="The same event" hidden></iframe>
    <form id="echo-form" method="post" action="${init.eventUrl}" target="echo-frame">${fields}</form>`
  return htmlPage({
    title: '3-D Secure: result',
    body: html`<main>
      ${kind === 'event_sent_twice' ? repeatedEventForm : undefined}
      <form id="event-form" method="post" action="${init.eventUrl}">
        ${fields}
        <noscript><button>Continue</button></noscript>
      </form>
    </main>`,
    script: RESULT_EVENT_SCRIPT,
    csp: { formAction: [eventOrigin], frameSrc: [eventOrigin], frameAncestors: [origins.checkouts] },
  })
}

const RESULT_EVENT_SCRIPT = `
  const eventForm = document.querySelector('#event-form')
  const repeatedForm = document.querySelector('#echo-form')
  const repeatedFrame = document.querySelector('[name="echo-frame"]')
  if (repeatedForm) {
    // The first event must be sent before the page itself is left.
    repeatedFrame.addEventListener('load', () => eventForm.submit(), { once: true })
    setTimeout(() => eventForm.submit(), 3000)
    repeatedForm.submit()
  } else eventForm.submit()
`
