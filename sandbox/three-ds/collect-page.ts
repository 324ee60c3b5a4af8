/** Collect page: reads the browser facts, runs the bank's 3DS method in a frame, then sends the requestor an event. */
import type { CollectingBehaviour } from '../cards/scenarios.ts'
import type { Origins } from '../http/hosts.ts'
import { hiddenFields, html, htmlPage, postingPage, type Html, type PageContent } from '../http/html.ts'
import type { Reply } from '../http/router.ts'
import { encodeMessage } from './form-message.ts'
import { collectingBehaviourOf, type Transaction } from './transactions.ts'

/** Browser facts from the request for the page; the page's script adds what only a script can see. */
export interface BrowserHeaders {
  readonly accept: string
  readonly userAgent: string
  readonly address: string
}

export const originOf = (address: string): string => new URL(address).origin

export const eventFields = (
  { init }: Transaction,
  event: string,
  sessionData = '',
): Readonly<Record<string, string>> => ({
  event,
  requestorTransId: init.requestorTransId,
  param: '',
  threeDSSessionData: sessionData,
})

interface CollectingEvent {
  readonly event: string
  readonly runsMethod: boolean
  readonly failsFirst: boolean
}

const METHOD_FINISHED: CollectingEvent = { event: '3DSMethodFinished', runsMethod: true, failsFirst: false }

const collectingEvents: Record<CollectingBehaviour, CollectingEvent> = {
  method_finishes: METHOD_FINISHED,
  method_never_ends: METHOD_FINISHED,
  method_ends_late: METHOD_FINISHED,
  method_fails_first: { ...METHOD_FINISHED, failsFirst: true },
  never_answers: METHOD_FINISHED,
  no_method: { event: '3DSMethodSkipped', runsMethod: false, failsFirst: false },
  unknown_event: { event: 'SomethingElse', runsMethod: false, failsFirst: false },
}

const methodForm = ({ serverTransId }: Transaction, { threeDS, bank }: Origins): Html => {
  const data = encodeMessage({
    threeDSServerTransID: serverTransId,
    threeDSMethodNotificationURL: `${threeDS}/method-notification`,
  })
  return html`<iframe name="method-frame" title="3DS method" hidden></iframe>
    <form id="method-form" method="post" action="${bank}/method" target="method-frame">
      ${hiddenFields({ threeDSMethodData: data })}
    </form>`
}

const methodErrorForm = (transaction: Transaction): Html =>
  html`<iframe name="trouble-frame" title="3DS method error" hidden></iframe>
    <form id="trouble-form" method="post" action="${transaction.init.eventUrl}" target="trouble-frame">
      ${hiddenFields(eventFields(transaction, '3DSMethodHasError'))}
    </form>`

export const collectPage = (transaction: Transaction, headers: BrowserHeaders, origins: Origins): Reply => {
  const { event, runsMethod, failsFirst } = collectingEvents[collectingBehaviourOf(transaction)]
  const eventOrigin = originOf(transaction.init.eventUrl)
  return htmlPage({
    title: '3-D Secure: collecting',
    body: html`<main
        id="seen"
        data-accept="${headers.accept}"
        data-user-agent="${headers.userAgent}"
        data-address="${headers.address}"
      ></main>
      <form id="event-form" method="post" action="${transaction.init.eventUrl}">
        ${hiddenFields(eventFields(transaction, event))}
      </form>
      ${failsFirst ? methodErrorForm(transaction) : undefined}
      ${runsMethod ? methodForm(transaction, origins) : undefined}`,
    script: COLLECT_SCRIPT,
    csp: {
      formAction: [eventOrigin, origins.bank],
      frameSrc: [origins.bank, origins.threeDS, eventOrigin],
      frameAncestors: [origins.checkouts],
    },
  })
}

const COLLECT_SCRIPT = `
  const seen = document.querySelector('#seen').dataset
  const eventForm = document.querySelector('#event-form')
  const methodForm = document.querySelector('#method-form')
  const errorForm = document.querySelector('#trouble-form')
  const methodFrame = document.querySelector('[name="method-frame"]')
  const errorFrame = document.querySelector('[name="trouble-frame"]')

  // Some displays have 30 bits a colour, which the protocol does not know.
  const depth = [1, 4, 8, 15, 16, 24, 32, 48].includes(screen.colorDepth) ? screen.colorDepth : 24
  const browserInfo = {
    browserAcceptHeader: seen.accept,
    browserUserAgent: seen.userAgent,
    browserIP: seen.address,
    browserLanguage: navigator.language.slice(0, 8).replace(/-$/, ''),
    browserJavascriptEnabled: true,
    browserJavaEnabled: false,
    browserColorDepth: String(depth),
    browserScreenHeight: String(screen.height),
    browserScreenWidth: String(screen.width),
    browserTZ: String(new Date().getTimezoneOffset()),
  }
  const bytes = new TextEncoder().encode(JSON.stringify(browserInfo))
  const base64 = btoa(String.fromCharCode(...bytes))
  eventForm.elements.param.value = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

  let sent = false
  const sendEvent = () => {
    if (sent) return
    sent = true
    eventForm.submit()
  }
  const runMethod = () => {
    if (!methodForm) return sendEvent()
    addEventListener('message', ({ origin, source, data }) => {
      if (origin === location.origin && source === methodFrame.contentWindow && data === '3DSMethodFinished') sendEvent()
    })
    methodForm.submit()
  }
  if (errorForm) {
    let started = false
    const startMethod = () => {
      if (started) return
      started = true
      runMethod()
    }
    errorFrame.addEventListener('load', startMethod, { once: true })
    setTimeout(startMethod, 3000)
    errorForm.submit()
  } else runMethod()
`

const hiddenFrameCsp = (origins: Origins, formAction: readonly string[]): PageContent['csp'] => ({
  formAction,
  frameAncestors: [origins.threeDS, origins.checkouts],
})

/** Watch page: the timeout of the 3DS method; asks afterwards whether it has ended. */
export const watchPage = ({ serverTransId }: Transaction, waitMs: number, origins: Origins): Reply =>
  postingPage({
    title: '3-D Secure: watching',
    action: `${origins.threeDS}/watch?transId=${serverTransId}`,
    waitMs,
    csp: hiddenFrameCsp(origins, [origins.threeDS]),
  })

export const timedOutPage = (transaction: Transaction, origins: Origins): Reply =>
  postingPage({
    title: '3-D Secure: timed out',
    action: transaction.init.eventUrl,
    fields: eventFields(transaction, 'InitAuthTimedOut'),
    csp: hiddenFrameCsp(origins, [originOf(transaction.init.eventUrl)]),
  })

export const emptyPage = (title: string, origins: Origins, status = 200, script = ''): Reply =>
  htmlPage({ status, title, body: html`<main></main>`, script, csp: hiddenFrameCsp(origins, []) })

/** Shown in the method's frame when the method has ended: sends the collect page around it a message. */
export const methodEndedPage = (origins: Origins): Reply =>
  emptyPage('3DS method ended', origins, 200, `parent.postMessage('3DSMethodFinished', location.origin)`)
