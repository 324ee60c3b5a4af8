/** Adyen over HTTP: authorise, capture, cancel, refund; timeouts, and what counts as silence. */
import type {
  ChargeOrder,
  ChargeOutcome,
  Clock,
  Gateway,
  Inquiry,
  NotCharged,
  RefundInquiry,
  RefundOrder,
  RefundOutcome,
  Remember,
  SentOrder,
  Unknown,
} from '#payment/ports.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import { connectionLost, unknown } from '../unknown-outcome.ts'
import type { AdyenAccount } from './account.ts'
import { sendToAdyen } from './client.ts'
import { readDisputes, type DisputeInbox } from './disputes.ts'
import {
  CAPTURE_EVENTS,
  captureTold,
  isKeyKept,
  NO_ANSWER_ANY_MORE,
  NOT_AN_ADYEN_PAYMENT,
  REFUND_EVENTS,
  refundTold,
  type Notice,
} from './notified-outcomes.ts'
import { authoriseKey, captureKey, isPspReference, refundKey } from './references.ts'
import { readReports, type ReportInbox } from './statement.ts'
import {
  cancelBody,
  cancelByReferenceBody,
  captureBody,
  paymentBody,
  readAuthorisation,
  readCapture,
  readFencing,
  readRefundRequest,
  refundBody,
  type Authorisation,
} from './translate.ts'

const INQUIRY_TIMEOUT_MS = 5000
/** Of the time of a charge, what is kept back to cancel an authorisation that was not answered. */
const CANCEL_RESERVE_MS = 4000

const DISPUTE_PAGE = 100

/** What Adyen has told about the payments of this account, as the inbox has stored it. */
export interface AdyenInbox extends ReportInbox, DisputeInbox {
  /** By the payment's reference. */
  ofPayment(reference: string, events: readonly string[]): Promise<readonly Notice[]>
}

interface AdyenOptions {
  readonly account: AdyenAccount
  /** The shop's own page. */
  readonly returnUrl: string
  readonly inbox: AdyenInbox
  readonly timeoutMs: number
  readonly clock: Pick<Clock, 'now'>
  /** How many disputes one page lists. */
  readonly disputePage?: number
  /** A signal that aborts after this many milliseconds. */
  readonly timeLimit?: (ms: number) => AbortSignal
}

const MAY_BE_CAPTURED: Unknown = unknown(
  'the database was restored, and Adyen may have captured this payment under a reference that is lost: its settlement report tells',
)

/** Nothing was captured, and without a remembered reference nothing can be. The circuit breaker counts the silence. */
const notCharged = (isSilence?: true): NotCharged =>
  isSilence === undefined ? { outcome: 'not_charged' } : { outcome: 'not_charged', isSilence }

/** Whether an order has a reference of Adyen, which may be asked about. */
const isSentToAdyen = <Order extends { readonly reference: string | null }>(
  order: Order,
): order is Order & { readonly reference: string } => order.reference !== null && isPspReference(order.reference)

export const createAdyenGateway = ({
  account,
  returnUrl,
  inbox,
  timeoutMs,
  clock,
  disputePage = DISPUTE_PAGE,
  timeLimit = (ms) => AbortSignal.timeout(ms),
}: AdyenOptions): Gateway => {
  const shop = { merchantAccount: account.merchantAccount, returnUrl }
  const inquiryMs = Math.min(timeoutMs, INQUIRY_TIMEOUT_MS)

  const send = (path: string, body: object, signal: AbortSignal, key?: string): Promise<AcquirerReply> =>
    sendToAdyen(account, { path, body, key }, { signal, clock })
  const outcomeOf = <Outcome>(reply: Promise<AcquirerReply>, read: (reply: AcquirerReply) => Outcome) =>
    reply.then(read, connectionLost)

  /** Frees the amount that an authorisation holds on the card. Money cannot move without it either. */
  const cancel = async (orderCode: string, reference: string | null, signal: AbortSignal): Promise<void> => {
    const sent =
      reference === null
        ? send('/cancels', cancelByReferenceBody(shop, orderCode), signal)
        : send(`/payments/${reference}/cancels`, cancelBody(shop, orderCode), signal)
    await sent.catch(connectionLost)
  }

  const capture = (order: { orderCode: string; amountYen: number; reference: string }, signal: AbortSignal) =>
    outcomeOf(
      send(`/payments/${order.reference}/captures`, captureBody(shop, order), signal, captureKey(order.orderCode)),
      (reply) => readCapture(order, reply),
    )

  const authorise = async (order: ChargeOrder, signal: AbortSignal): Promise<Authorisation> => {
    const { clearance } = order
    // Adyen has no field for "not enrolled" beside a liability shift; unauthenticated cards are refused in Japan.
    if (clearance.by === 'exemption') return { is: 'declined', reason: 'authentication_required' }
    const authoriseMs = timeoutMs - Math.min(CANCEL_RESERVE_MS, timeoutMs / 4)
    try {
      const limit = AbortSignal.any([signal, timeLimit(authoriseMs)])
      const { orderCode } = order
      return readAuthorisation(
        order,
        await send('/payments', paymentBody(shop, order, clearance), limit, authoriseKey(orderCode)),
      )
    } catch {
      return { is: 'useless', isSilence: true }
    }
  }

  const charge = async (order: ChargeOrder, remember: Remember): Promise<ChargeOutcome> => {
    const signal = timeLimit(timeoutMs)
    const { orderCode, amountYen } = order
    const authorisation = await authorise(order, signal)
    switch (authorisation.is) {
      case 'declined':
        if (authorisation.mayHoldAmount) await cancel(orderCode, null, signal)
        return { outcome: 'declined', reason: authorisation.reason }
      case 'forbidden':
        return { ...notCharged(), accountFault: authorisation.fault }
      case 'in progress':
        return unknown('another charge of this order is under way')
      case 'useless':
        await cancel(orderCode, null, signal)
        return notCharged(authorisation.isSilence)
      case 'authorised': {
        const { reference } = authorisation
        // From here on an inquiry captures under the same key: the reference is stored first.
        if (await remember(reference)) return capture({ orderCode, amountYen, reference }, signal)
        await cancel(orderCode, reference, signal)
        return notCharged()
      }
    }
  }

  /** No call of Adyen reads a payment. Its notification tells, or the same capture again, which Adyen makes once. */
  const inquire = async (order: SentOrder): Promise<Inquiry> => {
    if (order.reference === null) return { outcome: 'not_found' }
    if (!isSentToAdyen(order)) return NOT_AN_ADYEN_PAYMENT
    const told = captureTold(await inbox.ofPayment(order.reference, CAPTURE_EVENTS), order)
    if (told !== null) return told
    // Adyen forgets a key after seven days: the capture would be a new one.
    if (!isKeyKept(order.startedAt, clock.now())) return NO_ANSWER_ANY_MORE
    return capture(order, timeLimit(inquiryMs))
  }

  const told = async (order: RefundOrder, pspOfRefund: string | null): Promise<RefundOutcome | null> =>
    refundTold(await inbox.ofPayment(order.reference, REFUND_EVENTS), order, pspOfRefund)

  const inquireRefund = async (order: RefundOrder): Promise<RefundInquiry> => {
    if (!isSentToAdyen(order)) return NOT_AN_ADYEN_PAYMENT
    const outcome = await told(order, null)
    if (outcome !== null) return outcome
    // Not found: it is requested again, under the same key, and refunded once.
    return isKeyKept(order.requestedAt, clock.now()) ? { outcome: 'not_found' } : NO_ANSWER_ANY_MORE
  }

  const refund = async (order: RefundOrder): Promise<RefundOutcome> => {
    if (!isSentToAdyen(order)) return NOT_AN_ADYEN_PAYMENT
    if (!isKeyKept(order.requestedAt, clock.now())) return NO_ANSWER_ANY_MORE
    const { reference } = order
    const request = await outcomeOf(
      send(`/payments/${reference}/refunds`, refundBody(shop, order), timeLimit(timeoutMs), refundKey(order)),
      (reply) => readRefundRequest(order, reply),
    )
    if ('outcome' in request) return request
    // The notification may have come before this answer, or name the refund by Adyen's id alone.
    return (await told(order, request.pspReference)) ?? unknown('received, waits for the notification')
  }

  return {
    // Adyen has no cheap call; the circuit breaker counts silent charges.
    ready: async () => 'ready',
    charge,
    inquire,
    fence: async ({ orderCode, reference, isRestored }) => {
      if (reference !== null) return { outcome: 'exists' }
      const sent = send('/cancels', cancelByReferenceBody(shop, orderCode), timeLimit(inquiryMs))
      const fencing = await outcomeOf(sent, (reply) => readFencing(orderCode, reply))
      // The cancel stops an authorisation that nobody has captured. A capture whose reference is lost it does not undo.
      return fencing.outcome === 'fenced' && isRestored ? MAY_BE_CAPTURED : fencing
    },
    refund,
    inquireRefund,
    statement: async (period, after) => {
      const fetchReport = (address: URL): Promise<Response> =>
        fetch(address, {
          redirect: 'error',
          signal: timeLimit(timeoutMs),
          headers: { 'x-api-key': account.reportApiKey ?? '' },
        })
      return readReports({ account, inbox, fetchReport }, period, after)
    },
    disputes: (openedIn, after) => readDisputes(inbox, openedIn, after, disputePage),
  }
}
