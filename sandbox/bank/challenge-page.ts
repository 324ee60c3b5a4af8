import { bankStyle } from './style.ts'
import { type BankLanguage, type BankWords, bankWords } from './words.ts'
import { brandNames, brandOf } from '../cards/cards.ts'
import type { Remark } from './challenge-answers.ts'
import { hiddenFields, html, type Html, page } from '../http/html.ts'
import type { Origins } from '../http/hosts.ts'
import type { Reply } from '../http/router.ts'
import type { ChallengeKind } from '../cards/scenarios.ts'
import type { Purchase, Transaction, WindowSize } from '../three-ds/transactions.ts'

export type Sheet = { language: BankLanguage; size: WindowSize; sessionData: string }

const mark = html`<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false">
  <rect width="28" height="28" rx="8" fill="#0b4f55" />
  <path d="M6.5 12 14 6.5 21.5 12Z" fill="#fff" />
  <path d="M8.5 13.5v5M12.2 13.5v5M15.8 13.5v5M19.5 13.5v5" stroke="#fff" stroke-width="1.8" />
  <path d="M6.5 21h15" stroke="#8fd0cf" stroke-width="2" />
</svg>`

const alarm = html`<svg viewBox="0 0 18 18" aria-hidden="true" focusable="false">
  <circle cx="9" cy="9" r="8" fill="currentColor" />
  <path d="M9 4.6v5.2" stroke="#fff" stroke-width="1.9" stroke-linecap="round" />
  <circle cx="9" cy="12.9" r="1.15" fill="#fff" />
</svg>`

const sheet = (words: BankWords, size: WindowSize, brand: string, inner: Html): Html =>
  html`<div class="sheet size-${size}">
    <header aria-label="${words.bank}">
      <div class="bank">${mark}<span>${words.bank}</span></div>
      <div class="brand">${brand}</div>
    </header>
    <main aria-labelledby="title">${inner}</main>
  </div>`

const yen = (amount: string): string => `¥${BigInt(amount).toLocaleString('en-US')}`

const bill = (words: BankWords, { merchantName, amount }: Purchase, number: string): Html =>
  html`<dl>
    <div>
      <dt>${words.shop}</dt>
      <dd>${merchantName}</dd>
    </div>
    <div>
      <dt>${words.amount}</dt>
      <dd class="amount">${yen(amount)}</dd>
    </div>
    <div>
      <dt>${words.card}</dt>
      <dd class="masked">•••• ${number.slice(-4)}</dd>
    </div>
  </dl>`

const remarkText = (words: BankWords, remark: Remark): string | undefined => {
  switch (remark.about) {
    case 'nothing':
      return undefined
    case 'empty':
      return words.empty
    case 'wrong':
      return words.wrong(remark.triesLeft)
    case 'not_accepted':
      return words.notAccepted
    case 'still_checking':
      return words.stillChecking
  }
}

const alertOf = (text: string | undefined): Html =>
  text === undefined ? html`` : html`<div class="alert" role="alert" id="alert">${alarm}<span>${text}</span></div>`

const answerForm = ({ acsTransId }: Transaction, { size, sessionData }: Sheet, inner: Html, origins: Origins): Html =>
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

const waiting = (words: BankWords): Html =>
  html`<div class="wait" role="status">
      <span class="ring" aria-hidden="true"></span><span>${words.appSandbox}</span>
    </div>
    <a class="app" href="mihonbank://approve">${words.appOpen}</a>
    ${cancelButton(words)}`

type Challenge = { transaction: Transaction; purchase: Purchase; challenge: ChallengeKind; remark: Remark }

/** Asks the card holder: for a code, or to approve the purchase in the bank's app. */
export const challengePage = (
  { transaction, purchase, challenge, remark }: Challenge,
  shown: Sheet,
  origins: Origins,
): Reply => {
  const byApp = challenge === 'out_of_band'
  const framed = challenge !== 'not_frameable'
  const words = bankWords[shown.language]
  const { number } = transaction.terms
  const error = remarkText(words, remark)
  const title = byApp ? words.appTitle : words.title
  const fields = byApp ? waiting(words) : codeFields(words, error)
  return page({
    lang: shown.language,
    title: `${error === undefined ? title : error} – ${words.bank}`,
    style: bankStyle,
    body: sheet(
      words,
      shown.size,
      brandNames[brandOf(number)],
      html`<div>
          <h1 id="title">${title}</h1>
          <p class="lead">${byApp ? words.appLead : words.lead}</p>
        </div>
        ${bill(words, purchase, number)}
        <div class="asked">${alertOf(error)} ${answerForm(transaction, shown, fields, origins)}</div>`,
    ),
    reach: { formAction: [origins.bank], frameSrc: [], frameAncestors: framed ? [origins.checkouts] : [] },
    // A policy that names ancestors overrules this header, so both must say no.
    headers: framed ? {} : { 'X-Frame-Options': 'DENY' },
  })
}

/** Takes the CRes back to the 3-D Secure server: by itself, or by a button where no script runs. */
export const leavingPage = (cres: string, { language, size, sessionData }: Sheet, origins: Origins): Reply => {
  const words = bankWords[language]
  return page({
    lang: language,
    title: `${words.leaving} – ${words.bank}`,
    style: bankStyle,
    body: sheet(
      words,
      size,
      '',
      html`<h1 id="title">${words.leaving}</h1>
        <form method="post" action="${origins.threeDS}/challenge-notification">
          ${hiddenFields({ cres, threeDSSessionData: sessionData })}
          <noscript><button class="confirm">${words.goOn}</button></noscript>
        </form>`,
    ),
    script: `document.querySelector('form').submit()`,
    reach: { formAction: [origins.threeDS], frameSrc: [], frameAncestors: [origins.checkouts] },
  })
}

/** For a message that names no challenge of ours: it was never one, or it is long over. */
export const endedPage = (status: number, language: BankLanguage, origins: Origins): Reply => {
  const words = bankWords[language]
  const inner = html`<h1 id="title">${words.endedTitle}</h1>
    <p class="lead">${words.ended}</p>`
  return page({
    status,
    lang: language,
    title: `${words.endedTitle} – ${words.bank}`,
    style: bankStyle,
    body: sheet(words, '05', '', inner),
    reach: { formAction: [], frameSrc: [], frameAncestors: [origins.checkouts] },
  })
}
