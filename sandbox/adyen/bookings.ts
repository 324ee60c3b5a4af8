/** Bookings of the Adyen double: authorisations, captures, cancels and refunds, each with the notification that tells of it. */
import { PROCESS, type AtCapture } from './card-behaviour.ts'
import { authorisationItem, modificationItem, type EventCode, type NotificationItem } from './notifications.ts'
import { cancelVerdict, captureVerdict, refundVerdict, type PaymentState, type Verdict } from './payment-rules.ts'
import { newAuthCode, newPspReference } from './references.ts'
import { isDisputeKind, type DisputeKind, type Modification, type ModificationKind, type Payment } from './rows.ts'
import type { AdyenStore } from './store.ts'

/** The request of a payment, without the card number. */
export interface NewPayment {
  readonly merchantAccount: string
  readonly reference: string
  readonly amountYen: number
  readonly paymentMethod: string
  readonly lastFour: string
  readonly isManualCapture: boolean
}

type PaymentOutcome =
  | { readonly status: 'authorised'; readonly atCapture: AtCapture }
  | { readonly status: 'queued'; readonly dueAt: number }
  | { readonly status: 'refused' | 'error' | 'cancelled'; readonly refusalReason: string }
  | { readonly status: 'undecided' }

export interface Bookings {
  readonly now: () => number
  state(pspReference: string): PaymentState | undefined
  addPayment(request: NewPayment, outcome: PaymentOutcome): Payment
  /** Ends a payment that was undecided or queued; undefined where it is neither. */
  decide(pspReference: string, isAuthorised: boolean): Payment | undefined
  capture(state: PaymentState, amountYen: number, reference: string): Modification
  refund(state: PaymentState, amountYen: number, reference: string): Modification
  cancel(state: PaymentState, reference: string): Modification
  /** Technical cancel: whatever was authorised under the reference and is not captured. */
  cancelByReference(merchantAccount: string, paymentReference: string, reference: string): string
  /** Processes what is due: queued payments and late captures. */
  processDue(): void
  notify(item: NotificationItem): void
  notifyModification(
    payment: Payment,
    modification: Modification,
    event: ModificationOutcome,
    additionalData?: Readonly<Record<string, string>>,
  ): void
}

interface ModificationOutcome {
  readonly eventCode: EventCode
  readonly success: boolean
  readonly reason: string
}

const eventCodes: Record<Exclude<ModificationKind, DisputeKind>, EventCode> = {
  capture: 'CAPTURE',
  refund: 'REFUND',
  cancel: 'CANCELLATION',
  technical_cancel: 'TECHNICAL_CANCEL',
}

export const createBookings = (store: AdyenStore, now: () => number, timeScale: number): Bookings => {
  const notify: Bookings['notify'] = (item) =>
    store.addNotification(item.merchantAccountCode, item.pspReference, JSON.stringify(item), now())

  const state: Bookings['state'] = (pspReference) => {
    const payment = store.payment(pspReference)
    // A queued payment has not reached Adyen's books yet.
    if (payment === undefined || payment.status === 'queued') return undefined
    return { payment, modifications: store.modificationsOf(pspReference) }
  }

  const mustHaveState = (pspReference: string): PaymentState => {
    const found = state(pspReference)
    if (found === undefined) throw new Error('a payment that was just written is missing')
    return found
  }

  const notifyModification: Bookings['notifyModification'] = (payment, modification, event, additionalData = {}) => {
    const { kind, reference } = modification
    // The reference of the modification's own request, empty where it had none, and not the payment's:
    // github.com/Adyen/adyen-magento2/issues/2711, Adyen/adyen-commercetools/issues/1038, Adyen/adyen-shopware6/pull/797.
    const ofPayment = kind === 'technical_cancel' || isDisputeKind(kind)
    const merchantReference = ofPayment ? payment.reference : reference
    const { merchantAccount } = payment
    notify(
      modificationItem({ ...event, modification, payment, merchantAccount, merchantReference, additionalData }, now()),
    )
  }

  const notifyNotFound = (merchantAccount: string, merchantReference: string, pspReference: string): void => {
    const modification = { pspReference, amountYen: 0 }
    const event = { eventCode: 'TECHNICAL_CANCEL', success: false, reason: 'Payment not found' } as const
    notify(modificationItem({ ...event, modification, payment: undefined, merchantAccount, merchantReference }, now()))
  }

  /** Always received; the outcome is told by notification alone (docs.adyen.com/online-payments/modify-payments). */
  const modify = (
    before: PaymentState,
    kind: Exclude<ModificationKind, DisputeKind>,
    verdict: Verdict,
    request: { amountYen: number; reference: string; pspReference?: string; dueAt?: number | null },
  ): Modification => {
    const isDue = request.dueAt !== undefined && request.dueAt !== null && verdict.kind === 'done'
    const modification: Modification = {
      pspReference: request.pspReference ?? newPspReference(),
      paymentPspReference: before.payment.pspReference,
      kind,
      reference: request.reference,
      amountYen: request.amountYen,
      status: isDue ? 'received' : verdict.kind,
      createdAt: now(),
      dueAt: isDue ? (request.dueAt ?? null) : null,
      batch: null,
      reversedBatch: null,
    }
    store.addModification(modification)
    if (!isDue) {
      const reason = verdict.kind === 'done' ? '' : verdict.reason
      const eventCode = eventCodes[kind]
      notifyModification(before.payment, modification, { eventCode, success: verdict.kind === 'done', reason })
    }
    return modification
  }

  const capture: Bookings['capture'] = (before, amountYen, reference) => {
    const { kind, ms } = before.payment.atCapture
    const dueAt = kind === 'process_late' ? Math.round(now() + ms * timeScale) : null
    return modify(before, 'capture', captureVerdict(before, amountYen), { amountYen, reference, dueAt })
  }

  /** Adyen's default is automatic capture: docs.adyen.com/online-payments/capture. */
  const announce = (payment: Payment): void => {
    notify(authorisationItem(payment, now()))
    if (payment.status === 'authorised' && !payment.isManualCapture)
      capture(mustHaveState(payment.pspReference), payment.amountYen, payment.reference)
  }

  const cancelAs = (
    before: PaymentState,
    kind: 'cancel' | 'technical_cancel',
    request: { reference: string; pspReference?: string },
  ): Modification => {
    const verdict = cancelVerdict(before)
    if (verdict.kind === 'done') store.savePayment({ ...before.payment, status: 'cancelled' })
    return modify(before, kind, verdict, { amountYen: before.payment.amountYen, ...request })
  }

  const decided = (payment: Payment, isAuthorised: boolean): Payment => {
    const after: Payment = {
      ...payment,
      status: isAuthorised ? 'authorised' : 'refused',
      refusalReason: isAuthorised ? '' : 'Refused',
      dueAt: null,
    }
    store.savePayment(after)
    announce(after)
    return after
  }

  return {
    now,
    state,
    notify,
    notifyModification,
    capture,
    addPayment: (request, outcome) => {
      const payment: Payment = {
        ...request,
        pspReference: newPspReference(),
        authCode: newAuthCode(),
        status: outcome.status,
        refusalReason: 'refusalReason' in outcome ? outcome.refusalReason : '',
        atCapture: outcome.status === 'authorised' ? outcome.atCapture : PROCESS,
        createdAt: now(),
        dueAt: outcome.status === 'queued' ? outcome.dueAt : null,
      }
      store.savePayment(payment)
      if (payment.status !== 'queued' && payment.status !== 'undecided') announce(payment)
      return payment
    },
    decide: (pspReference, isAuthorised) => {
      const payment = store.payment(pspReference)
      return payment?.status === 'undecided' ? decided(payment, isAuthorised) : undefined
    },
    refund: (before, amountYen, reference) =>
      modify(before, 'refund', refundVerdict(before, amountYen), { amountYen, reference }),
    cancel: (before, reference) => cancelAs(before, 'cancel', { reference }),
    cancelByReference: (merchantAccount, paymentReference, reference) => {
      const pspReference = newPspReference()
      const found = store
        .paymentsOf(paymentReference)
        .filter((payment) => payment.merchantAccount === merchantAccount && payment.status !== 'queued')
      for (const payment of found)
        cancelAs(mustHaveState(payment.pspReference), 'technical_cancel', { reference, pspReference })
      if (found.length === 0) notifyNotFound(merchantAccount, paymentReference, pspReference)
      return pspReference
    },
    processDue: () => {
      for (const payment of store.duePayments(now())) decided(payment, true)
      for (const due of store.dueCaptures(now())) {
        const processed: Modification = { ...due, status: 'done', dueAt: null }
        store.saveModification(processed)
        const { payment } = mustHaveState(due.paymentPspReference)
        notifyModification(payment, processed, { eventCode: 'CAPTURE', success: true, reason: '' })
      }
    },
  }
}
