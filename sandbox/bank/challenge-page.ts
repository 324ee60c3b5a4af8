/** Challenge page: asks the card holder for a code, or to approve the purchase in the bank's app. */
import { brandNames, brandOf } from '../cards/cards.ts'
import type { Origins } from '../http/hosts.ts'
import { hiddenFields, html, htmlPage, SUBMIT_SCRIPT, type Html, type PageContent } from '../http/html.ts'
import type { Reply } from '../http/router.ts'
import type { ChallengeState, Purchase, Transaction, WindowSize } from '../three-ds/transactions.ts'
import type { ChallengeMessage } from './challenge-submission.ts'
import { BANK_STYLE } from './style.ts'
import { bankWords, type BankLanguage, type BankWords } from './words.ts'

export interface PageContext {
  readonly language: BankLanguage
  readonly size: WindowSize
  readonly sessionData: string
}

const BANK_LOGO = html`<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false">
  <rect width="28" height="28" rx="8" fill="#0b4f55" />
  <path d="M6.5 12 14 6.5 21.5 12Z" fill="#fff" />
  <path d="M8.5 13.5v5M12.2 13.5v5M15.8 13.5v5M19.5 13.5v5" stroke="#fff" stroke-width="1.8" />
  <path d="M6.5 21h15" stroke="#8fd0cf" stroke-width="2" />
</svg>`

const ALERT_ICON = html`<svg viewBox="0 0 18 18" aria-hidden="true" focusable="false">
  <circle cx="9" cy="9" r="8" fill="currentColor" />
  <path d="M9 4.6v5.2" stroke="#fff" stroke-width="1.9" stroke-linecap="round" />
  <circle cx="9" cy="12.9" r="1.15" fill="#fff" />
</svg>`

interface BankPage extends Pick<PageContent, 'title' | 'csp' | 'status' | 'script' | 'headers'> {
  readonly brand?: string
  readonly inner: Html
}

const bankPage = (
  { language, size }: Pick<PageContext, 'language' | 'size'>,
  { title, brand = '', inner, ...page }: BankPage,
): Reply => {
  const { bank } = bankWords[language]
  return htmlPage({
    ...page,
    lang: language,
    title: `${title} – ${bank}`,
    style: BANK_STYLE,
    body: html`<div class="sheet size-${size}">
      <header aria-label="${bank}">
        <div class="bank">${BANK_LOGO}<span>${bank}</span></div>
        <div class="brand">${brand}</div>
      </header>
      <main aria-labelledby="title">${inner}</main>
    </div>`,
  })
}

const yenText = (amount: string): string => `¥${BigInt(amount).toLocaleString('en-US')}`

const purchaseSummary = (words: BankWords, { merchantName, amount }: Purchase, number: string): Html =>
  html`<dl>
    <div>
      <dt>${words.shop}</dt>
      <dd>${merchantName}</dd>
    </div>
    <div>
      <dt>${words.amount}</dt>
      <dd class="amount">${yenText(amount)}</dd>
    </div>
    <div>
      <dt>${words.card}</dt>
      <dd class="masked">•••• ${number.slice(-4)}</dd>
    </div>
  </dl>`

const messageText = (words: BankWords, message: ChallengeMessage): string | undefined => {
  switch (message.about) {
    case 'nothing':
      return undefined
    case 'empty':
      return words.empty
    case 'wrong':
      return words.wrong(message.attemptsLeft)
    case 'not_accepted':
      return words.notAccepted
    case 'still_checking':
      return words.stillChecking
  }
}

const alertBox = (text: string | undefined): Html =>
  text === undefined ? html`` : html`<div class="alert" role="alert" id="alert">${ALERT_ICON}<span>${text}</span></div>`

const submissionForm = (
  { acsTransId }: Transaction,
  { size, sessionData }: PageContext,
  inner: Html,
  origins: Origins,
): Html =>
  html`<form method="post" action="${origins.bank}/challenge/answer" novalidate>
    ${hiddenFields({ acsTransID: acsTransId, challengeWindowSize: size, threeDSSessionData: sessionData })} ${inner}
  </form>`

const cancelButton = (words: BankWords): Html =>
  html`<button class="cancel" name="action" value="cancel">${words.cancel}</button>`

const codeFields = (words: BankWords, error: string | undefined): Html =>
  html`<label for="code">${words.code}</label>
    <input
      id="code"
      name="code"
      type="text"
      inputmode="numeric"
      autocomplete="one-time-code"
      autocapitalize="off"
      spellcheck="false"
      maxlength="12"
      aria-describedby="${error === undefined ? 'hint' : 'alert hint'}"
      aria-invalid="${error === undefined ? 'false' : 'true'}"
    />
    <p class="hint" id="hint">${words.sandbox}</p>
    <div class="choice">
      <button class="confirm" name="action" value="confirm">${words.confirm}</button>
      ${cancelButton(words)}
    </div>`

const appApprovalFields = (words: BankWords): Html =>
  html`<div class="wait" role="status">
      <span class="ring" aria-hidden="true"></span><span>${words.appSandbox}</span>
    </div>
    <a class="app" href="mihonbank://approve">${words.appOpen}</a>
    ${cancelButton(words)}`

export const challengePage = (
  transaction: Transaction,
  { purchase, challenge }: ChallengeState,
  message: ChallengeMessage,
  context: PageContext,
  origins: Origins,
): Reply => {
  const isApprovedInApp = challenge === 'out_of_band'
  const isFrameable = challenge !== 'not_frameable'
  const words = bankWords[context.language]
  const { number } = transaction.init
  const error = messageText(words, message)
  const title = isApprovedInApp ? words.appTitle : words.title
  const fields = isApprovedInApp ? appApprovalFields(words) : codeFields(words, error)
  return bankPage(context, {
    title: error ?? title,
    brand: brandNames[brandOf(number)],
    inner: html`<div>
        <h1 id="title">${title}</h1>
        <p class="lead">${isApprovedInApp ? words.appLead : words.lead}</p>
      </div>
      ${purchaseSummary(words, purchase, number)}
      <div class="asked">${alertBox(error)} ${submissionForm(transaction, context, fields, origins)}</div>`,
    csp: { formAction: [origins.bank], frameAncestors: isFrameable ? [origins.checkouts] : [] },
    // A policy with frame-ancestors overrides this header, so both must forbid the frame.
    headers: isFrameable ? {} : { 'X-Frame-Options': 'DENY' },
  })
}

/** Return page: posts the CRes to the 3-D Secure server, by itself or by a button where no script runs. */
export const returnPage = (cres: string, context: PageContext, origins: Origins): Reply => {
  const words = bankWords[context.language]
  return bankPage(context, {
    title: words.leaving,
    inner: html`<h1 id="title">${words.leaving}</h1>
      <form method="post" action="${origins.threeDS}/challenge-notification">
        ${hiddenFields({ cres, threeDSSessionData: context.sessionData })}
        <noscript><button class="confirm">${words.goOn}</button></noscript>
      </form>`,
    script: SUBMIT_SCRIPT,
    csp: { formAction: [origins.threeDS], frameAncestors: [origins.checkouts] },
  })
}

/** For a message that names no challenge: an unknown one, or one that was removed long after its end. */
export const challengeEndedPage = (status: number, language: BankLanguage, origins: Origins): Reply => {
  const { endedTitle, ended } = bankWords[language]
  return bankPage(
    { language, size: '05' },
    {
      status,
      title: endedTitle,
      inner: html`<h1 id="title">${endedTitle}</h1>
        <p class="lead">${ended}</p>`,
      csp: { frameAncestors: [origins.checkouts] },
    },
  )
}
