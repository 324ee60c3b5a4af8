/** Payment flow: the state machine of the card page, each state with its own data. The card itself stays in the form. */
import type { PageCheckout } from '../parse-answers.ts'
import type { PageAuthenticateAnswer, PageStartAnswer } from '../parse-payment-answers.ts'
import type { ChallengeFrame, CollectFrame, FrameEvent } from '../three-ds/frame-events.ts'

/** The call after which the checkout is read: what the page shows then depends on it. */
export type PaymentCall = 'start' | 'authenticate' | 'report' | 'pay' | 'cancel'

/** Why a call failed, as far as the shopper can do something about it. */
export type FailureCause = 'card refused' | 'not a test card' | 'not authenticated' | 'too many attempts' | 'other'

/** What the form says after a payment or a cancel that came to nothing. `cancel unconfirmed`: nobody knows what became of it. */
export type FormNotice =
  | 'none'
  | 'nothing charged'
  | 'not cancelled'
  | 'cancel unconfirmed'
  | Exclude<FailureCause, 'other'>

export type Flow =
  | { readonly state: 'init_start'; readonly notice: FormNotice }
  | { readonly state: 'starting' }
  /** Hidden frames let the card issuer collect facts about the browser. */
  | ({ readonly state: 'collecting' } & CollectFrame)
  | { readonly state: 'auth_start'; readonly orderCode: string }
  /** The card issuer's challenge page is shown in a frame. */
  | ({ readonly state: 'challenge' } & ChallengeFrame)
  | { readonly state: 'collect_error'; readonly orderCode: string }
  | { readonly state: 'challenge_error'; readonly orderCode: string }
  | { readonly state: 'pay_start'; readonly orderCode: string }
  | { readonly state: 'cancelling' }
  /** A call failed. The checkout is read before anything is shown: the card may have been charged. */
  | { readonly state: 'reading'; readonly after: PaymentCall; readonly cause: FailureCause }
  /** `notice`: what is known, said at the form once the dialog is closed. */
  | { readonly state: 'failed'; readonly notice: FormNotice }
  | { readonly state: 'confirming' }
  /**
   * The checkout has its final status; `leaveTo` is the merchant's URL to go to, if it gave one. Until the next screen or the
   * merchant's page is there, the page shows what it has shown before: a form that comes back now would ask for a second payment.
   */
  | {
      readonly state: 'finished'
      readonly checkout: PageCheckout
      readonly leaveTo: string | null
      readonly shows: 'form' | 'confirming panel'
    }

export type FlowEvent =
  | FrameEvent
  | { readonly type: 'submit' }
  | { readonly type: 'cancel' }
  | { readonly type: 'started'; readonly answer: PageStartAnswer }
  | { readonly type: 'authenticated'; readonly answer: PageAuthenticateAnswer }
  /** `paymentPending`: as read meanwhile; true when another tab is paying. */
  | { readonly type: 'error reported'; readonly paymentPending: boolean }
  | { readonly type: 'call failed'; readonly cause: FailureCause }
  /** The lazy parts of the page could not be fetched: nothing was sent. */
  | { readonly type: 'script failed' }
  | { readonly type: 'checkout received'; readonly checkout: PageCheckout }
  | { readonly type: 'read failed' }
  /** The checkout was read for another reason and has a payment in progress, perhaps in another tab. */
  | { readonly type: 'payment pending' }
  | { readonly type: 'dialog closed' }
  /** The merchant's page did not come, or the shopper came back from it: this page has the outcome to show after all. */
  | { readonly type: 'not left' }

/** The flow's current state, and how to change it. */
export interface PaymentFlow {
  readonly flow: Flow
  readonly dispatch: (event: FlowEvent) => void
}

export const INIT_START: Flow = { state: 'init_start', notice: 'none' }

const FORM_AGAIN: Flow = { state: 'init_start', notice: 'nothing charged' }
const FAILED: Flow = { state: 'failed', notice: 'nothing charged' }
const NOT_CANCELLED: Flow = { state: 'failed', notice: 'not cancelled' }

type Reading = Extract<Flow, { state: 'reading' }>

/** What is known after a failed call: what its answer said, or what the checkout, read since, says. */
const failedAfter = ({ after, cause }: Reading, isRead: boolean): Flow => {
  if (cause !== 'other') return { state: 'failed', notice: cause }
  if (after === 'cancel') return isRead ? NOT_CANCELLED : { state: 'failed', notice: 'cancel unconfirmed' }
  return isRead ? FAILED : { state: 'failed', notice: 'none' }
}

const CONFIRMING: Flow = { state: 'confirming' }

export const initialFlow = (checkout: PageCheckout): Flow => (checkout.paymentPending ? CONFIRMING : INIT_START)

/** A payment redirects to the shop, the shopper's own cancel goes back to it; every other outcome stays on the page. */
const leaveTo = ({ status, links }: PageCheckout, call: PaymentCall): string | null => {
  if (status === 'paid') return links.redirectUrl ?? null
  return status === 'cancelled' && call === 'cancel' ? (links.cancelUrl ?? null) : null
}

type Finished = Extract<Flow, { state: 'finished' }>

const afterAnswer = (
  checkout: PageCheckout,
  call: PaymentCall,
  whenOpen: Flow,
  shows: Finished['shows'] = 'form',
): Flow => {
  if (checkout.status !== 'open') return { state: 'finished', checkout, leaveTo: leaveTo(checkout, call), shows }
  return checkout.paymentPending ? CONFIRMING : whenOpen
}

const afterStart = (answer: PageStartAnswer): Flow => {
  const { orderCode } = answer
  if (!answer.threeDSRequired) return { state: 'pay_start', orderCode }
  return { state: 'collecting', orderCode, collectUrl: answer.collectUrl, monitoringUrl: answer.monitoringUrl }
}

const afterAuthenticate = (orderCode: string, answer: PageAuthenticateAnswer): Flow => {
  if (answer.threeDSType !== 'challenge') return { state: 'pay_start', orderCode }
  return { state: 'challenge', orderCode, challengeUrl: answer.challengeUrl, monitoringUrl: answer.monitoringUrl }
}

/**
 * The reducer: the only way the state changes. An event that does not belong to a state changes nothing. Each state from
 * `starting` on is left only by the outcome of its own call or frame: what another tab does meanwhile, the next call shows.
 */
export const nextFlow = (flow: Flow, event: FlowEvent): Flow => {
  switch (flow.state) {
    case 'init_start':
      if (event.type === 'submit') return { state: 'starting' }
      if (event.type === 'cancel') return { state: 'cancelling' }
      if (event.type === 'payment pending') return CONFIRMING
      return event.type === 'checkout received' ? afterAnswer(event.checkout, 'pay', flow) : flow
    case 'starting':
      if (event.type === 'started') return afterStart(event.answer)
      if (event.type === 'script failed') return FORM_AGAIN
      return event.type === 'call failed' ? { state: 'reading', after: 'start', cause: event.cause } : flow
    case 'collecting': {
      const { orderCode } = flow
      // A card issuer that sends no message is no error: the authentication goes on without its facts.
      if (event.type === 'collect timeout') return { state: 'auth_start', orderCode }
      if (event.type === 'abandoned') return { state: 'collect_error', orderCode }
      if (event.type !== 'message' || event.message.orderCode !== orderCode) return flow
      return { state: event.message.event === '3DS_DO_AUTH' ? 'auth_start' : 'collect_error', orderCode }
    }
    case 'auth_start':
      if (event.type === 'authenticated') return afterAuthenticate(flow.orderCode, event.answer)
      return event.type === 'call failed' ? { state: 'reading', after: 'authenticate', cause: event.cause } : flow
    case 'challenge': {
      const { orderCode } = flow
      if (event.type === 'abandoned') return { state: 'challenge_error', orderCode }
      if (event.type === 'result ready') return event.orderCode === orderCode ? { state: 'pay_start', orderCode } : flow
      if (event.type !== 'message' || event.message.orderCode !== orderCode) return flow
      return { state: event.message.event === '3DS_AUTH_RESULT_READY' ? 'pay_start' : 'challenge_error', orderCode }
    }
    case 'collect_error':
    case 'challenge_error':
      if (event.type === 'call failed') return { state: 'reading', after: 'report', cause: event.cause }
      if (event.type !== 'error reported') return flow
      return event.paymentPending ? CONFIRMING : { state: 'init_start', notice: 'not authenticated' }
    case 'pay_start':
      if (event.type === 'checkout received') return afterAnswer(event.checkout, 'pay', FAILED)
      return event.type === 'call failed' ? { state: 'reading', after: 'pay', cause: event.cause } : flow
    case 'cancelling':
      if (event.type === 'script failed') return { state: 'init_start', notice: 'not cancelled' }
      if (event.type === 'checkout received') return afterAnswer(event.checkout, 'cancel', NOT_CANCELLED)
      return event.type === 'call failed' ? { state: 'reading', after: 'cancel', cause: event.cause } : flow
    case 'reading':
      if (event.type === 'checkout received') return afterAnswer(event.checkout, flow.after, failedAfter(flow, true))
      // After a pay call the card may have been charged until the checkout has been read.
      if (event.type === 'read failed') return flow.after === 'pay' ? CONFIRMING : failedAfter(flow, false)
      return flow
    case 'failed':
      if (event.type === 'payment pending') return CONFIRMING
      return event.type === 'dialog closed' ? { state: 'init_start', notice: flow.notice } : flow
    case 'confirming':
      return event.type === 'checkout received'
        ? afterAnswer(event.checkout, 'pay', FORM_AGAIN, 'confirming panel')
        : flow
    case 'finished':
      return event.type === 'not left' && flow.leaveTo !== null ? { ...flow, leaveTo: null } : flow
  }
}

/** Whether a button was pressed and its call is still to be sent, or has not been answered. */
export const isFirstCall = (flow: Flow): boolean => flow.state === 'starting' || flow.state === 'cancelling'

/** Whether this tab has a payment or a cancel whose outcome it must still show. */
export const isInProgress = (flow: Flow): boolean =>
  flow.state === 'finished' ? flow.leaveTo !== null : flow.state !== 'init_start'

/** Whether the confirming panel stands where the form was. */
export const isConfirmingShown = (flow: Flow): boolean =>
  flow.state === 'confirming' || (flow.state === 'finished' && flow.shows === 'confirming panel')

const MINUTE_MS = 60_000

/** How long the confirming panel waits before it reads the checkout again: first 2 seconds, after a minute 10. */
export const confirmingIntervalMs = (waitedMs: number): number => (waitedMs < MINUTE_MS ? 2000 : 10_000)
