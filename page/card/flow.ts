import type { Authenticated, PageCheckout, Started } from '../answers.ts'
import type { ChallengeFrame, CollectFrame, FrameEvent } from '../three-ds/frame-events.ts'

/** Which call a reading follows: what is said afterwards depends on it. */
export type Call = 'start' | 'authenticate' | 'report' | 'pay' | 'cancel'

/** The payment on the card page: one state at a time, each with its own data. The card itself stays in the form. */
export type Flow =
  | { readonly at: 'init_start'; readonly notice: 'none' | 'nothing charged' | 'not authenticated' }
  | { readonly at: 'starting' }
  /** Hidden frames let the card company look at the browser. */
  | ({ readonly at: 'collecting' } & CollectFrame)
  | { readonly at: 'auth_start'; readonly orderCode: string }
  /** The card company asks the shopper something, in a frame of its own. */
  | ({ readonly at: 'challenge' } & ChallengeFrame)
  | { readonly at: 'collect_error'; readonly orderCode: string }
  | { readonly at: 'challenge_error'; readonly orderCode: string }
  | { readonly at: 'pay_start'; readonly orderCode: string }
  | { readonly at: 'cancelling' }
  /** A call failed. Before anything is said, the checkout is read: the money may have moved. */
  | { readonly at: 'reading'; readonly after: Call }
  | { readonly at: 'failed' }
  | { readonly at: 'confirming' }
  /** The checkout has its final status; `leaveTo` is the merchant's address to go to, if it gave one. */
  | { readonly at: 'settled'; readonly checkout: PageCheckout; readonly leaveTo: string | null }

export type FlowEvent =
  | FrameEvent
  | { readonly event: 'submit' }
  | { readonly event: 'cancel' }
  | { readonly event: 'started'; readonly answer: Started }
  | { readonly event: 'authenticated'; readonly answer: Authenticated }
  /** `paymentPending`: what the checkout said meanwhile, perhaps because another tab is paying it. */
  | { readonly event: 'reported'; readonly paymentPending: boolean }
  | { readonly event: 'failed' }
  | { readonly event: 'answered'; readonly checkout: PageCheckout }
  | { readonly event: 'unreadable' }
  /** A reading from elsewhere shows that a payment of this checkout is under way, perhaps from another tab. */
  | { readonly event: 'pending' }
  | { readonly event: 'closed' }

export const START: Flow = { at: 'init_start', notice: 'none' }

const CONFIRMING: Flow = { at: 'confirming' }

export const firstFlow = (checkout: PageCheckout): Flow => (checkout.paymentPending ? CONFIRMING : START)

/** A payment sends the shopper on to the shop, their own cancel back to it; everything else stays on the page. */
const leaveTo = ({ status, links }: PageCheckout, call: Call): string | null => {
  if (status === 'paid') return links.redirectUrl ?? null
  return status === 'cancelled' && call === 'cancel' ? (links.cancelUrl ?? null) : null
}

const afterAnswer = (checkout: PageCheckout, call: Call, whenOpen: Flow): Flow => {
  if (checkout.status !== 'open') return { at: 'settled', checkout, leaveTo: leaveTo(checkout, call) }
  return checkout.paymentPending ? CONFIRMING : whenOpen
}

const afterStart = (answer: Started): Flow => {
  const { orderCode } = answer
  if (!answer.threeDSRequired) return { at: 'pay_start', orderCode }
  return { at: 'collecting', orderCode, collectUrl: answer.collectUrl, monitoringUrl: answer.monitoringUrl }
}

const afterAuthenticate = (orderCode: string, answer: Authenticated): Flow => {
  if (answer.threeDSType !== 'challenge') return { at: 'pay_start', orderCode }
  return { at: 'challenge', orderCode, challengeUrl: answer.challengeUrl, monitoringUrl: answer.monitoringUrl }
}

/**
 * The only way the flow moves. An event that does not belong to a state leaves it as it is. Each state below `starting` is
 * left by the outcome of its own call or frame alone: whatever another tab does meanwhile, the next call tells the truth.
 */
export const next = (flow: Flow, event: FlowEvent): Flow => {
  switch (flow.at) {
    case 'init_start':
      if (event.event === 'submit') return { at: 'starting' }
      if (event.event === 'cancel') return { at: 'cancelling' }
      if (event.event === 'pending') return CONFIRMING
      return event.event === 'answered' ? afterAnswer(event.checkout, 'pay', flow) : flow
    case 'starting':
      if (event.event === 'started') return afterStart(event.answer)
      return event.event === 'failed' ? { at: 'reading', after: 'start' } : flow
    case 'collecting': {
      const { orderCode } = flow
      // A card company that stays silent is no error: the authentication goes on without its facts.
      if (event.event === 'collect time over') return { at: 'auth_start', orderCode }
      if (event.event !== 'message' || event.message.orderCode !== orderCode) return flow
      return { at: event.message.event === '3DS_DO_AUTH' ? 'auth_start' : 'collect_error', orderCode }
    }
    case 'auth_start':
      if (event.event === 'authenticated') return afterAuthenticate(flow.orderCode, event.answer)
      return event.event === 'failed' ? { at: 'reading', after: 'authenticate' } : flow
    case 'challenge': {
      const { orderCode } = flow
      if (event.event === 'given up') return { at: 'challenge_error', orderCode }
      if (event.event === 'result ready') return event.orderCode === orderCode ? { at: 'pay_start', orderCode } : flow
      if (event.event !== 'message' || event.message.orderCode !== orderCode) return flow
      return { at: event.message.event === '3DS_AUTH_RESULT_READY' ? 'pay_start' : 'challenge_error', orderCode }
    }
    case 'collect_error':
    case 'challenge_error':
      if (event.event === 'failed') return { at: 'reading', after: 'report' }
      if (event.event !== 'reported') return flow
      return event.paymentPending ? CONFIRMING : { at: 'init_start', notice: 'not authenticated' }
    case 'pay_start':
      if (event.event === 'answered') return afterAnswer(event.checkout, 'pay', { at: 'failed' })
      return event.event === 'failed' ? { at: 'reading', after: 'pay' } : flow
    case 'cancelling':
      if (event.event === 'answered') return afterAnswer(event.checkout, 'cancel', { at: 'failed' })
      return event.event === 'failed' ? { at: 'reading', after: 'cancel' } : flow
    case 'reading':
      if (event.event === 'answered') return afterAnswer(event.checkout, flow.after, { at: 'failed' })
      // After a pay call nobody can say that nothing was charged until the checkout has been read.
      if (event.event === 'unreadable') return flow.after === 'pay' ? CONFIRMING : { at: 'failed' }
      return flow
    case 'failed':
      if (event.event === 'pending') return CONFIRMING
      return event.event === 'closed' ? START : flow
    case 'confirming':
      return event.event === 'answered'
        ? afterAnswer(event.checkout, 'pay', { at: 'init_start', notice: 'nothing charged' })
        : flow
    case 'settled':
      return flow
  }
}

/** Whether this tab has a payment or a cancel of its own to see to its end. */
export const isUnderWay = (flow: Flow): boolean =>
  flow.at === 'settled' ? flow.leaveTo !== null : flow.at !== 'init_start'

const MINUTE_MS = 60_000

/** How long the confirming panel waits before it reads again: often at first, then without haste. */
export const confirmingPauseMs = (waitedMs: number): number => (waitedMs < MINUTE_MS ? 2000 : 10_000)
