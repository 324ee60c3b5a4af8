/** Stripe as a gateway: which calls make a charge, an inquiry, a fence, a refund, a statement and a list of disputes. */
import type {
  ChargeOrder,
  ChargeOutcome,
  Clock,
  Gateway,
  Inquiry,
  NotCharged,
  RefundInquiry,
  RefundOrder,
  Remember,
  Unknown,
} from '#payment/ports.ts'
import { systemClock } from '../../dependencies.ts'
import { isRefused, type AcquirerReply } from '../acquirer-http.ts'
import { connectionLost, unknown } from '../unknown-outcome.ts'
import { createStripeClient, type StripeAccount } from './client.ts'
import { disputeFields, isDisputeCursor, readDisputePage } from './disputes.ts'
import {
  asRequested,
  findRefund,
  readRefund,
  readRefundPage,
  refundFields,
  refundsOfIntentFields,
  type RefundPage,
} from './refunds.ts'
import { chargesOfOrderFields, pageFields, placeOf, readChargesOfOrder, readPage } from './statement.ts'
import {
  cardFields,
  confirmFields,
  decided,
  intentFields,
  isConflict,
  isIntentId,
  readConfirmed,
  readFencing,
  readInquiry,
  readIntentOpened,
  readPaymentMethod,
  type Authenticated,
  type IntentOrder,
} from './translate.ts'
import type { Refund } from './wire.ts'

/** Stripe is far from Japan, and the first request also opens a connection: half a second would take it for an outage. */
const READY_TIMEOUT_MS = 2000
const INQUIRY_TIMEOUT_MS = 5000
/** The most that Stripe lists on a page. */
const STATEMENT_PAGE = 100

const NOT_CHARGED: NotCharged = { outcome: 'not_charged' }
/** Counted by the circuit breaker: an outage that only this request meets would otherwise go unseen. */
const silentBeforeConfirm = (): NotCharged => ({ ...NOT_CHARGED, isSilence: true })

const OF_ANOTHER_ACQUIRER: Unknown = {
  ...unknown('this order was never sent to Stripe: its reference is none of Stripe’s'),
  needsPerson: true,
}

interface Options {
  readonly clock?: Pick<Clock, 'now'>
  /** How many lines one page of a statement, and of the disputes, lists. */
  readonly statementPage?: number
  /** A signal that aborts after this many milliseconds. */
  readonly timeLimit?: (ms: number) => AbortSignal
}

export const createStripeGateway = (
  account: StripeAccount,
  timeoutMs: number,
  { clock = systemClock, statementPage = STATEMENT_PAGE, timeLimit = (ms) => AbortSignal.timeout(ms) }: Options = {},
): Gateway => {
  const stripe = createStripeClient(account, clock)
  const outcomeOf = <Outcome>(reply: Promise<AcquirerReply>, read: (reply: AcquirerReply) => Outcome) =>
    reply.then(read, connectionLost)
  const inquiryMs = Math.min(timeoutMs, INQUIRY_TIMEOUT_MS)
  const intent = (reference: string, rest = ''): string => `/payment_intents/${encodeURIComponent(reference)}${rest}`

  const inquireIntent = (order: IntentOrder, signal: AbortSignal): Promise<Inquiry> =>
    outcomeOf(stripe.get(intent(order.reference), { expand: ['latest_charge'] }, signal), (reply) =>
      readInquiry(order, reply),
    )
  // Without a key: Stripe would answer the next cancellation with the stored error of this one.
  const cancel = (reference: string, signal: AbortSignal): Promise<AcquirerReply> =>
    stripe.post(intent(reference, '/cancel'), {}, signal)

  /** The only request of a charge that moves money. */
  const confirm = async (
    order: IntentOrder,
    paymentMethod: string,
    clearance: Authenticated,
    signal: AbortSignal,
  ): Promise<ChargeOutcome> => {
    const fields = confirmFields(paymentMethod, clearance)
    const key = `${order.orderCode}.confirm`
    try {
      const reply = await stripe.post(intent(order.reference, '/confirm'), fields, signal, key)
      return isConflict(reply) ? decided(await inquireIntent(order, signal)) : readConfirmed(order, reply)
    } catch (error) {
      return connectionLost(error)
    }
  }

  /**
   * Until `confirm` is sent, nobody can charge this intent: it has no payment method, and one process alone confirms, once. So
   * every failure before it, silence too, is "not charged". If this process ends here, `inquire` finds an intent without a
   * charge (not found), and `fence` cancels it.
   */
  const charge = async (
    order: ChargeOrder,
    clearance: Authenticated,
    remember: Remember,
    signal: AbortSignal,
  ): Promise<ChargeOutcome> => {
    const opening = stripe.post('/payment_intents', intentFields(order), signal, `${order.orderCode}.open`)
    // Silence: no card was sent, and the intent, if there is one, is never confirmed, because its id is not known.
    const opened = await opening.then((reply) => readIntentOpened(order, reply), silentBeforeConfirm)
    if (opened.outcome !== 'received') return opened
    const reference = opened.id
    if (!(await remember(reference))) {
      // If this fails, an unpaid intent is left at Stripe, which nobody confirms.
      await cancel(reference, signal).catch(() => undefined)
      return NOT_CHARGED
    }
    // The card’s time in memory may have ended meanwhile.
    if (signal.aborted || order.card.number.isWiped) return NOT_CHARGED
    // Silence: Stripe may hold the card now, but a payment method charges nothing, and no confirmation is sent.
    const tokenized = await stripe
      .post('/payment_methods', cardFields(order), signal)
      .then(readPaymentMethod, silentBeforeConfirm)
    if (tokenized.outcome !== 'received') return tokenized
    if (signal.aborted) return NOT_CHARGED
    const { orderCode, amountYen } = order
    return confirm({ orderCode, amountYen, reference }, tokenized.id, clearance, signal)
  }

  /** All refunds of an intent, whoever made them. Search would find them by metadata, but minutes later. */
  const listRefunds = async (reference: string, signal: AbortSignal): Promise<readonly Refund[] | Unknown> => {
    const refunds: Refund[] = []
    for (let after: string | null = null; ;) {
      const startingAfter: string | null = after
      const reply = stripe.get('/refunds', refundsOfIntentFields(reference, startingAfter), signal)
      const page: RefundPage | Unknown = await outcomeOf(reply, (answer) => readRefundPage(startingAfter, answer))
      if (page.outcome === 'unknown') return page
      refunds.push(...page.refunds)
      if (page.after === null) return refunds
      ;({ after } = page)
    }
  }

  const inquireRefund = async (order: RefundOrder, signal: AbortSignal): Promise<RefundInquiry> => {
    if (!isIntentId(order.reference)) return OF_ANOTHER_ACQUIRER
    const refunds = await listRefunds(order.reference, signal)
    return 'outcome' in refunds ? refunds : findRefund(order, refunds, clock.now())
  }

  return {
    ready: async () => {
      try {
        const { status } = await stripe.get('/balance', {}, timeLimit(READY_TIMEOUT_MS))
        if (status === 200) return 'ready'
        return status === 401 || status === 403 ? 'forbidden' : 'silent'
      } catch (error) {
        return isRefused(error) ? 'refused' : 'silent'
      }
    },
    charge: async (order, remember) =>
      order.clearance.by === 'authentication'
        ? charge(order, order.clearance, remember, timeLimit(timeoutMs))
        : // Stripe would start a 3-D Secure of its own, for which there is no page.
          { outcome: 'declined', reason: 'not_authenticated' },
    inquire: async ({ reference, ...order }) => {
      // The reference is stored before a card can be charged: without one, nothing was.
      if (reference === null) return { outcome: 'not_found' }
      return isIntentId(reference) ? inquireIntent({ ...order, reference }, timeLimit(inquiryMs)) : OF_ANOTHER_ACQUIRER
    },
    fence: async ({ reference, ...order }) => {
      const signal = timeLimit(inquiryMs)
      if (reference === null)
        return outcomeOf(stripe.get('/charges', chargesOfOrderFields(order.orderCode), signal), (reply) =>
          readChargesOfOrder(order.orderCode, reply),
        )
      if (!isIntentId(reference)) return OF_ANOTHER_ACQUIRER
      return outcomeOf(cancel(reference, signal), (reply) => readFencing({ ...order, reference }, reply))
    },
    refund: async (order) => {
      const signal = timeLimit(timeoutMs)
      // After 24 hours Stripe has forgotten the key, and would give the money back a second time.
      const before = await inquireRefund(order, signal)
      if (before.outcome !== 'not_found') return asRequested(order, before)
      const key = `${order.orderCode}.refund.${order.refundId}`
      try {
        const reply = await stripe.post('/refunds', refundFields(order), signal, key)
        return isConflict(reply) ? asRequested(order, await inquireRefund(order, signal)) : readRefund(order, reply)
      } catch (error) {
        return connectionLost(error)
      }
    },
    inquireRefund: (order) => inquireRefund(order, timeLimit(inquiryMs)),
    statement: async (period, after) => {
      const place = placeOf(after)
      if (place === undefined) return unknown('a cursor of no statement of Stripe')
      const fields = pageFields(period, place, statementPage)
      return outcomeOf(stripe.get(`/${place.list}`, fields, timeLimit(timeoutMs)), (reply) =>
        readPage(period, place, reply),
      )
    },
    disputes: async (openedIn, after) => {
      if (!isDisputeCursor(after)) return unknown('a cursor of no list of Stripe')
      const fields = disputeFields(openedIn, after, statementPage)
      return outcomeOf(stripe.get('/disputes', fields, timeLimit(timeoutMs)), (reply) => readDisputePage(after, reply))
    },
  }
}
