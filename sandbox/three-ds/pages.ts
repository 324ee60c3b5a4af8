import {
  collectPage,
  emptyPage,
  eventFields,
  methodEndedPage,
  originOf,
  type Seen,
  timedOutPage,
  watchPage,
} from './collect-page.ts'
import { decodeMessage, encodeMessage, sessionDataMost } from './field-reader.ts'
import type { Origins } from '../http/hosts.ts'
import { hiddenFields, html, page } from '../http/html.ts'
import { type Call, type Reply, type Route, stayOnTheLine } from '../http/router.ts'
import {
  collectingOf,
  markCollected,
  methodLimitMs,
  type Timing,
  type Transaction,
  type Transactions,
} from './transactions.ts'

const silenceMs = 60_000

/** The public host of the 3-D Secure server: pages that live in frames of a checkout. */
export const threeDSPages = (transactions: Transactions, timing: Timing, origins: Origins): readonly Route[] => {
  const unknown = (): Reply => emptyPage('3-D Secure: unknown transaction', origins, 404)
  const unreadable = (): Reply => emptyPage('3-D Secure: unreadable message', origins, 400)

  const named = ({ query }: Call): Transaction | undefined => transactions.find(query.get('transId') ?? '')

  const collect = (call: Call): Reply | Promise<Reply> => {
    const transaction = named(call)
    if (!transaction) return unknown()
    const collecting = collectingOf(transaction)
    if (collecting === 'silence') return stayOnTheLine(timing.scaled(silenceMs), call.clientGone)
    if (collecting === 'no_method' || collecting === 'unknown_event') markCollected(transaction)
    return collectPage(transaction, seenBy(call), origins)
  }

  const watch = (call: Call): Reply | Promise<Reply> => {
    const transaction = named(call)
    if (!transaction) return unknown()
    if (collectingOf(transaction) === 'silence') return stayOnTheLine(timing.scaled(silenceMs), call.clientGone)
    return watchPage(transaction, timing.scaled(methodLimitMs), origins)
  }

  const watchEnded = (call: Call): Reply => {
    const transaction = named(call)
    if (!transaction) return unknown()
    const { state } = transaction
    return state.at === 'started' && !state.collected
      ? timedOutPage(transaction, origins)
      : emptyPage('3-D Secure: nothing to watch', origins)
  }

  const methodNotification = ({ body }: Call): Reply => {
    const message = decodeMessage(new URLSearchParams(body).get('threeDSMethodData') ?? '')
    if (!message) return unreadable()
    const transaction = transactions.find(textOf(message['threeDSServerTransID']))
    if (!transaction) return unknown()
    markCollected(transaction)
    return methodEndedPage(origins)
  }

  const challenge = (call: Call): Reply => {
    const transaction = named(call)
    if (!transaction || transaction.state.at === 'started') return unknown()
    const sessionData = call.query.get('tds-session-data') ?? ''
    if (sessionData.length > sessionDataMost) return unreadable()
    const creq = encodeMessage({
      messageType: 'CReq',
      messageVersion: transaction.state.purchase.messageVersion,
      threeDSServerTransID: transaction.serverTransId,
      acsTransID: transaction.acsTransId,
      challengeWindowSize: transaction.terms.windowSize,
    })
    return page({
      lang: 'en',
      title: '3-D Secure: to the bank',
      body: html`<main>
        <form method="post" action="${origins.bank}/challenge">
          ${hiddenFields({ creq, threeDSSessionData: sessionData })}
          <noscript><button>Continue</button></noscript>
        </form>
      </main>`,
      script: `document.querySelector('form').submit()`,
      reach: { formAction: [origins.bank], frameSrc: [], frameAncestors: [origins.checkouts] },
    })
  }

  const challengeNotification = ({ body }: Call): Reply => {
    const form = new URLSearchParams(body)
    const cres = decodeMessage(form.get('cres') ?? '')
    const sessionData = form.get('threeDSSessionData') ?? ''
    if (!cres || sessionData.length > sessionDataMost) return unreadable()
    const transaction = transactions.find(textOf(cres['threeDSServerTransID']))
    return transaction ? announcePage(transaction, sessionData, origins) : unknown()
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

const seenBy = ({ header, clientAddress }: Call): Seen => ({
  accept: (header('accept') ?? '*/*').slice(0, 2048),
  userAgent: (header('user-agent') ?? 'unknown').slice(0, 2048),
  address: clientAddress,
})

/** Tells the requestor, through the browser, that a result can be read. */
const announcePage = (transaction: Transaction, sessionData: string, origins: Origins): Reply => {
  const { scenario, terms } = transaction
  const kind = scenario.enrolled && scenario.issuer.asks === 'challenge' ? scenario.issuer.challenge : 'code'
  const event = kind === 'unknown_event' ? 'SomethingElse' : 'AuthResultReady'
  const fields = hiddenFields(eventFields(transaction, event, sessionData))
  const eventOrigin = originOf(terms.eventUrl)
  const echo = html`<iframe name="echo-frame" title="The same event" hidden></iframe>
    <form id="echo-form" method="post" action="${terms.eventUrl}" target="echo-frame">${fields}</form>`
  return page({
    lang: 'en',
    title: '3-D Secure: result',
    body: html`<main>
      ${kind === 'announced_twice' ? echo : undefined}
      <form id="event-form" method="post" action="${terms.eventUrl}">
        ${fields}
        <noscript><button>Continue</button></noscript>
      </form>
    </main>`,
    script: announceScript,
    reach: { formAction: [eventOrigin], frameSrc: [eventOrigin], frameAncestors: [origins.checkouts] },
  })
}

const announceScript = `
  const eventForm = document.querySelector('#event-form')
  const echoForm = document.querySelector('#echo-form')
  const echoFrame = document.querySelector('[name="echo-frame"]')
  if (echoForm) {
    // The first must have left before the page itself goes away.
    echoFrame.addEventListener('load', () => eventForm.submit(), { once: true })
    setTimeout(() => eventForm.submit(), 3000)
    echoForm.submit()
  } else eventForm.submit()
`
