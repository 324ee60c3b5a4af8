import { encodeMessage } from './field-reader.ts'
import { hiddenFields, html, type Html, page, type Reach } from '../http/html.ts'
import type { Origins } from '../http/hosts.ts'
import type { Reply } from '../http/router.ts'
import type { Collecting } from '../cards/scenarios.ts'
import { collectingOf, type Transaction } from './transactions.ts'

/** What the request for the page tells of the browser; its script adds what only a script can see. */
export type Seen = { accept: string; userAgent: string; address: string }

export const originOf = (address: string): string => new URL(address).origin

export const eventFields = (
  { terms }: Transaction,
  event: string,
  sessionData = '',
): Readonly<Record<string, string>> => ({
  event,
  requestorTransId: terms.requestorTransId,
  param: '',
  threeDSSessionData: sessionData,
})

const events: Record<Collecting, { event: string; runsMethod: boolean; failsFirst: boolean }> = {
  method_finishes: { event: '3DSMethodFinished', runsMethod: true, failsFirst: false },
  method_never_ends: { event: '3DSMethodFinished', runsMethod: true, failsFirst: false },
  method_ends_late: { event: '3DSMethodFinished', runsMethod: true, failsFirst: false },
  method_fails_first: { event: '3DSMethodFinished', runsMethod: true, failsFirst: true },
  silence: { event: '3DSMethodFinished', runsMethod: true, failsFirst: false },
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

const troubleForm = (transaction: Transaction): Html =>
  html`<iframe name="trouble-frame" title="3DS method error" hidden></iframe>
    <form id="trouble-form" method="post" action="${transaction.terms.eventUrl}" target="trouble-frame">
      ${hiddenFields(eventFields(transaction, '3DSMethodHasError'))}
    </form>`

/** Gathers what a bank wants to know of a browser, runs the bank's 3DS method in a frame, then tells the requestor. */
export const collectPage = (transaction: Transaction, seen: Seen, origins: Origins): Reply => {
  const { event, runsMethod, failsFirst } = events[collectingOf(transaction)]
  const eventOrigin = originOf(transaction.terms.eventUrl)
  return page({
    lang: 'en',
    title: '3-D Secure: collecting',
    body: html`<main
        id="seen"
        data-accept="${seen.accept}"
        data-user-agent="${seen.userAgent}"
        data-address="${seen.address}"
      ></main>
      <form id="event-form" method="post" action="${transaction.terms.eventUrl}">
        ${hiddenFields(eventFields(transaction, event))}
      </form>
      ${failsFirst ? troubleForm(transaction) : undefined} ${runsMethod ? methodForm(transaction, origins) : undefined}`,
    script: collectScript,
    reach: {
      formAction: [eventOrigin, origins.bank],
      frameSrc: [origins.bank, origins.threeDS, eventOrigin],
      frameAncestors: [origins.checkouts],
    },
  })
}

const collectScript = `
  const seen = document.querySelector('#seen').dataset
  const eventForm = document.querySelector('#event-form')
  const methodForm = document.querySelector('#method-form')
  const troubleForm = document.querySelector('#trouble-form')
  const methodFrame = document.querySelector('[name="method-frame"]')
  const troubleFrame = document.querySelector('[name="trouble-frame"]')

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

  let told = false
  const tell = () => {
    if (told) return
    told = true
    eventForm.submit()
  }
  const runMethod = () => {
    if (!methodForm) return tell()
    addEventListener('message', ({ origin, source, data }) => {
      if (origin === location.origin && source === methodFrame.contentWindow && data === '3DSMethodFinished') tell()
    })
    methodForm.submit()
  }
  if (troubleForm) {
    let gone = false
    const goOn = () => {
      if (gone) return
      gone = true
      runMethod()
    }
    troubleFrame.addEventListener('load', goOn, { once: true })
    setTimeout(goOn, 3000)
    troubleForm.submit()
  } else runMethod()
`

const selfSubmitting = `document.querySelector('form').submit()`

const hiddenReach = (origins: Origins, formAction: readonly string[]): Reach => ({
  formAction,
  frameSrc: [],
  frameAncestors: [origins.threeDS, origins.checkouts],
})

/** Waits as long as a 3DS method may take, then asks whether it has ended. */
export const watchPage = ({ serverTransId }: Transaction, waitMs: number, origins: Origins): Reply =>
  page({
    lang: 'en',
    title: '3-D Secure: watching',
    body: html`<main>
      <form method="post" action="${origins.threeDS}/watch?transId=${serverTransId}" data-wait-ms="${waitMs}"></form>
    </main>`,
    script: `const form = document.querySelector('form'); setTimeout(() => form.submit(), Number(form.dataset.waitMs))`,
    reach: hiddenReach(origins, [origins.threeDS]),
  })

export const timedOutPage = (transaction: Transaction, origins: Origins): Reply =>
  page({
    lang: 'en',
    title: '3-D Secure: timed out',
    body: html`<main>
      <form method="post" action="${transaction.terms.eventUrl}">
        ${hiddenFields(eventFields(transaction, 'InitAuthTimedOut'))}
      </form>
    </main>`,
    script: selfSubmitting,
    reach: hiddenReach(origins, [originOf(transaction.terms.eventUrl)]),
  })

export const emptyPage = (title: string, origins: Origins, status = 200): Reply =>
  page({ status, lang: 'en', title, body: html`<main></main>`, reach: hiddenReach(origins, []) })

/** Stands in the method's frame when the method has ended, and tells the collect page around it. */
export const methodEndedPage = (origins: Origins): Reply =>
  page({
    lang: 'en',
    title: '3DS method ended',
    body: html`<main></main>`,
    script: `parent.postMessage('3DSMethodFinished', location.origin)`,
    reach: hiddenReach(origins, []),
  })
