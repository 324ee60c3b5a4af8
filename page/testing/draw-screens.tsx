/** Drawn screens: every screen of the page in each of its states, as HTML without a script, to measure its texts. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { FieldProblem } from '#contract/card.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { createApi } from '../api.ts'
import { CardForm } from '../card/card-form.tsx'
import { CardScreen } from '../card/card-page.tsx'
import { FIELD_ORDER, type CardField } from '../card/fields.ts'
import type { CardFormState } from '../card/use-card-form.ts'
import { FailureNotice } from '../error/failure-notice.tsx'
import type { InitialData } from '../initial-data.ts'
import { lazyParts } from '../lazy-parts.tsx'
import { PageContext } from '../page-context.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { INIT_START, type Flow, type FormNotice } from '../payment/flow.ts'
import { INERT_FORM, preview } from '../preview/preview-page.tsx'
import { newQueryClient } from '../query-client.ts'
import { DEFAULT_COLOUR, themeCss } from '../theme.ts'
import { Modal } from '../ui/modal.tsx'
import type { Words } from '../words/en-US.ts'
import { LanguageProvider } from '../words/language-provider.tsx'
import { loadWords } from '../words/load-words.ts'
import { INVOICE, LONG_TEXTS, OPEN_CHECKOUT, PAID_CHECKOUT } from './drawn-checkouts.ts'

export interface DrawnScreen {
  readonly name: string
  readonly html: string
}

const noop = (): undefined => undefined
const noFetch: typeof fetch = () => Promise.reject(new Error('a drawn screen makes no calls'))
const NOW = Date.parse('2026-11-15T00:00:00Z')

type ProblemOfField = Readonly<Partial<Record<CardField, FieldProblem>>>

const formWith = (problems: ProblemOfField, invalidFields: readonly CardField[] = []): CardFormState => ({
  ...INERT_FORM,
  invalidFields,
  shownProblem: (field) => problems[field],
})

/** Each problem at a field that can have it. Total: a new one does not compile until it is drawn. */
const PROBLEMS: Record<FieldProblem, ProblemOfField> = {
  required: {
    cardNumber: 'required',
    expiryDate: 'required',
    cvc: 'required',
    cardHolderName: 'required',
    email: 'required',
  },
  cardPattern: { cardNumber: 'cardPattern' },
  invalidCard: { cardNumber: 'invalidCard' },
  notATestCard: { cardNumber: 'notATestCard' },
  expiry: { expiryDate: 'expiry' },
  cvc: { cvc: 'cvc' },
  holder: { cardHolderName: 'holder' },
  email: { email: 'email' },
}

const NOTICES: Record<FormNotice, Extract<Flow, { state: 'init_start' }>> = {
  none: { state: 'init_start', notice: 'none' },
  'nothing charged': { state: 'init_start', notice: 'nothing charged' },
  'not authenticated': { state: 'init_start', notice: 'not authenticated' },
  'card refused': { state: 'init_start', notice: 'card refused' },
  'not a test card': { state: 'init_start', notice: 'not a test card' },
  'too many attempts': { state: 'init_start', notice: 'too many attempts' },
  'not cancelled': { state: 'init_start', notice: 'not cancelled' },
  'cancel unconfirmed': { state: 'init_start', notice: 'cancel unconfirmed' },
}

const order = {
  orderCode: 'order',
  collectUrl: 'about:blank',
  challengeUrl: 'about:blank',
  monitoringUrl: 'about:blank',
}

/** A flow of every state in which the form is drawn. */
const FLOWS: { readonly [State in Flow['state']]: readonly Extract<Flow, { state: State }>[] } = {
  init_start: Object.values(NOTICES),
  starting: [{ state: 'starting' }],
  collecting: [{ state: 'collecting', ...order }],
  auth_start: [{ state: 'auth_start', ...order }],
  challenge: [],
  collect_error: [{ state: 'collect_error', ...order }],
  challenge_error: [],
  pay_start: [{ state: 'pay_start', ...order }],
  cancelling: [{ state: 'cancelling' }],
  reading: [{ state: 'reading', after: 'pay', cause: 'other' }],
  failed: [],
  confirming: [],
  finished: [],
}

const forms: readonly (readonly [name: string, form: CardFormState, flow: Flow])[] = [
  ...Object.entries(PROBLEMS).map(([name, problems]) => [`form: ${name}`, formWith(problems), INIT_START] as const),
  ...FIELD_ORDER.map(
    (field, at) => [`form: missing from ${field}`, formWith({}, FIELD_ORDER.slice(at)), INIT_START] as const,
  ),
  ...Object.values(FLOWS)
    .flat()
    .map((flow, at) => [`form: ${flow.state} ${at}`, formWith({}), flow] as const),
]

interface Drawing {
  readonly locale: PageLocale
  readonly words: Words
}

const draw = ({ locale, words }: Drawing, screen: ReactNode, search = '', sendsMail = false): string => {
  const initialData: InitialData = {
    drawnPath: '/c/creditcard',
    checkout: null,
    shop: null,
    locale,
    now: NOW,
    timeScale: 1,
    threeDS: null,
    footer: { aboutUrl: '/', privacyUrl: '/', badgeText: null },
    sendsMail,
    release: 'v1.0.0',
    preview: { origin: 'https://pay.example.com', visitorLocale: locale === 'ja' ? 'th' : 'ja' },
  }
  const context = {
    api: createApi('', noFetch),
    queryClient: newQueryClient(),
    initialData,
    address: { path: '/c/creditcard', search },
  }
  return renderToStaticMarkup(
    <PageContext value={context}>
      <LanguageProvider initial={{ locale, words }}>{screen}</LanguageProvider>
    </PageContext>,
  )
}

const cardScreen = (checkout: PageCheckout, form = formWith({}), flow: Flow = INIT_START) => (
  <CardScreen checkout={checkout}>
    <CardForm checkout={checkout} form={form} binCodes={[]} flow={flow} dispatch={noop} />
  </CardScreen>
)

const { Challenge, CompletePage, ConfirmingPanel, ErrorPage, NotFoundPage, NotLoadedPage, ServerErrorPage } = lazyParts

const withStatus = (checkout: PageCheckout, status: string): PageCheckout => ({ ...checkout, status })
const serif = (checkout: PageCheckout): PageCheckout => ({
  ...checkout,
  merchant: { setting: { ...checkout.merchant.setting, fontType: 'serif' } },
})

/** The screens by name, each as what is drawn. */
const screensOf = (drawing: Drawing): Readonly<Record<string, ReactNode>> => {
  const { words } = drawing
  return {
    ...Object.fromEntries(forms.map(([name, form, flow]) => [name, cardScreen(OPEN_CHECKOUT, form, flow)])),
    card: cardScreen(OPEN_CHECKOUT),
    'long texts': cardScreen({ ...OPEN_CHECKOUT, ...LONG_TEXTS }),
    'card of a shop at a double': cardScreen({ ...OPEN_CHECKOUT, testCardsOnly: true }),
    serif: cardScreen(serif(OPEN_CHECKOUT), formWith(PROBLEMS.required)),
    challenge: <Challenge checkout={OPEN_CHECKOUT} challenge={order} dispatch={noop} />,
    modal: <Modal message={words.failure.payment} confirm={words.failure.ok} onClose={noop} />,
    receipt: <CompletePage checkout={PAID_CHECKOUT} />,
    'receipt with an invoice': <CompletePage checkout={{ ...PAID_CHECKOUT, invoice: INVOICE }} />,
    'receipt with long texts': <CompletePage checkout={{ ...PAID_CHECKOUT, ...LONG_TEXTS, amount: 9_999_999 }} />,
    'sample of a receipt': (
      <CompletePage checkout={{ ...PAID_CHECKOUT, invoice: { ...INVOICE, isSample: true } }} isPreview />
    ),
    'receipt of a shop at a double': <CompletePage checkout={{ ...PAID_CHECKOUT, testCardsOnly: true }} />,
    refunded: <CompletePage checkout={withStatus(PAID_CHECKOUT, 'refunded')} />,
    ...Object.fromEntries(
      ['expired', 'failed', 'cancelled', 'a later status'].map((status) => [
        `error ${status}`,
        <ErrorPage key={status} checkout={withStatus(OPEN_CHECKOUT, status)} />,
      ]),
    ),
    'not found': <NotFoundPage />,
    'server error': <ServerErrorPage />,
    'not loaded': <NotLoadedPage isAnswered={false} onTryAgain={noop} />,
    'not loaded, answered': <NotLoadedPage isAnswered onTryAgain={noop} />,
    'failed script': (
      <FailureNotice title={words.broken.notLoaded} message={words.broken.notLoadedHelp} shop={OPEN_CHECKOUT} />
    ),
    stopped: <FailureNotice title={words.broken.stopped} message={words.broken.stoppedHelp} shop={OPEN_CHECKOUT} />,
    preview: <preview.Page checkout={OPEN_CHECKOUT} />,
  }
}

export const drawScreens = async (locale: PageLocale): Promise<readonly DrawnScreen[]> => {
  // The challenge asks for its own origin, which there is none of without a browser.
  Object.assign(globalThis, { window: { location: { origin: 'https://pay.example.com' } } })
  // A preview also shows the visitor's language.
  await Promise.all(PAGE_LOCALES.map(loadWords))
  const drawing = { locale, words: await loadWords(locale) }
  const confirming = (
    <CardScreen checkout={OPEN_CHECKOUT}>
      <ConfirmingPanel />
    </CardScreen>
  )
  return [
    ...Object.entries(screensOf(drawing)).map(([name, screen]) => ({ name, html: draw(drawing, screen) })),
    { name: 'test mode', html: draw(drawing, cardScreen(OPEN_CHECKOUT), 'mode=test') },
    { name: 'confirming', html: draw(drawing, confirming) },
    { name: 'confirming with mails', html: draw(drawing, confirming, '', true) },
  ]
}

export const theme = themeCss(DEFAULT_COLOUR)
