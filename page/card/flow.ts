import type { PageCheckout, Started } from '../answers.ts'

/** Which call a reading follows: what is said afterwards depends on it. */
export type Call = 'start' | 'pay' | 'cancel'

/** The payment on the card page: one state at a time, each with its own data. The card itself stays in the form. */
export type Flow =
  | { readonly at: 'init_start'; readonly notice: 'none' | 'nothing charged' }
  | { readonly at: 'starting' }
  | { readonly at: 'pay_start'; readonly orderCode: string }
  | { readonly at: 'cancelling' }
  /** A call failed. Before anything is said, the checkout is read: the money may have moved. */
  | { readonly at: 'reading'; readonly after: Call }
  | { readonly at: 'failed' }
  | { readonly at: 'confirming' }
  /** The checkout has its final status; `leaveTo` is the merchant's address to go to, if it gave one. */
  | { readonly at: 'settled'; readonly checkout: PageCheckout; readonly leaveTo: string | null }

export type FlowEvent =
  | { readonly event: 'submit' }
  | { readonly event: 'cancel' }
  | { readonly event: 'started'; readonly answer: Started }
  | { readonly event: 'failed' }
  | { readonly event: 'answered'; readonly checkout: PageCheckout }
  | { readonly event: 'unreadable' }
  /** A reading from elsewhere shows that a payment of this checkout is under way, perhaps from another tab. */
  | { readonly event: 'pending' }
  | { readonly event: 'closed' }

export const START: Flow = { at: 'init_start', notice: 'none' }

export const firstFlow = (checkout: PageCheckout): Flow => (checkout.paymentPending ? { at: 'confirming' } : START)

/** A payment sends the shopper on to the shop, their own cancel back to it; everything else stays on the page. */
const leaveTo = ({ status, links }: PageCheckout, call: Call): string | null => {
  if (status === 'paid') return links.redirectUrl ?? null
  return status === 'cancelled' && call === 'cancel' ? (links.cancelUrl ?? null) : null
}

const afterAnswer = (checkout: PageCheckout, call: Call, whenOpen: Flow): Flow => {
  if (checkout.status !== 'open') return { at: 'settled', checkout, leaveTo: leaveTo(checkout, call) }
  return checkout.paymentPending ? { at: 'confirming' } : whenOpen
}

/** The only way the flow moves. An event that does not belong to a state leaves it as it is. */
export const next = (flow: Flow, event: FlowEvent): Flow => {
  switch (flow.at) {
    case 'init_start':
      if (event.event === 'submit') return { at: 'starting' }
      if (event.event === 'cancel') return { at: 'cancelling' }
      if (event.event === 'pending') return { at: 'confirming' }
      return event.event === 'answered' ? afterAnswer(event.checkout, 'pay', flow) : flow
    case 'starting':
      if (event.event === 'started') {
        // Authentication frames are not part of this release; a server that demands them is answered like a failed call.
        return event.answer.threeDSRequired
          ? { at: 'reading', after: 'start' }
          : { at: 'pay_start', orderCode: event.answer.orderCode }
      }
      return event.event === 'failed' ? { at: 'reading', after: 'start' } : flow
    case 'pay_start':
      if (event.event === 'answered') return afterAnswer(event.checkout, 'pay', { at: 'failed' })
      return event.event === 'failed' ? { at: 'reading', after: 'pay' } : flow
    case 'cancelling':
      if (event.event === 'answered') return afterAnswer(event.checkout, 'cancel', { at: 'failed' })
      return event.event === 'failed' ? { at: 'reading', after: 'cancel' } : flow
    case 'reading':
      if (event.event === 'answered') return afterAnswer(event.checkout, flow.after, { at: 'failed' })
      // After a pay call nobody can say that nothing was charged until the checkout has been read.
      if (event.event === 'unreadable') return flow.after === 'pay' ? { at: 'confirming' } : { at: 'failed' }
      return flow
    case 'failed':
      if (event.event === 'pending') return { at: 'confirming' }
      return event.event === 'closed' ? START : flow
    case 'confirming':
      return event.event === 'answered'
        ? afterAnswer(event.checkout, 'pay', { at: 'init_start', notice: 'nothing charged' })
        : flow
    case 'settled':
      return flow
  }
}

const MINUTE_MS = 60_000

/** How long the confirming panel waits before it reads again: often at first, then without haste. */
export const confirmingPauseMs = (waitedMs: number): number => (waitedMs < MINUTE_MS ? 2000 : 10_000)
