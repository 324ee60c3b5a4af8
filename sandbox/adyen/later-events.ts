/** Later events: what a scheme or Adyen itself does after a payment, by control of a test: failures, reports. */
import type { Bookings } from './bookings.ts'
import { reportItem, type EventCode } from './notifications.ts'
import type { Modification, ModificationKind } from './rows.ts'
import { reportFileName } from './settlement-report.ts'
import type { AdyenStore } from './store.ts'

type FailureOutcome = 'failed' | 'not_processed' | 'already_settled'

export interface LaterEvents {
  /** A capture or refund that was processed is rejected by the scheme. */
  fail(pspReference: string): FailureOutcome
  /** Closes the period: everything that no report has told of yet. */
  closeReport(merchantAccount: string, folderUrl: string): { readonly batchNumber: number; readonly url: string }
}

const failures: Partial<Record<ModificationKind, { readonly eventCode: EventCode; readonly reason: string }>> = {
  capture: { eventCode: 'CAPTURE_FAILED', reason: 'Capture Failed' },
  refund: { eventCode: 'REFUND_FAILED', reason: 'Refund Failed' },
}

export const createLaterEvents = (store: AdyenStore, bookings: Bookings): LaterEvents => ({
  fail: (pspReference) => {
    const modification = store.modification(pspReference)
    const payment = modification === undefined ? undefined : store.payment(modification.paymentPspReference)
    const failure = modification === undefined ? undefined : failures[modification.kind]
    if (modification?.status !== 'done' || payment === undefined || failure === undefined) return 'not_processed'
    // The scheme rejects a capture before Adyen pays it out; a refund may come back later.
    if (modification.kind === 'capture' && modification.batch !== null) return 'already_settled'
    const failed: Modification = { ...modification, status: 'failed' }
    store.saveModification(failed)
    // Adyen's examples of CAPTURE_FAILED and REFUND_FAILED say success true: the event is the failure.
    bookings.notifyModification(payment, failed, { ...failure, success: true })
    return 'failed'
  },
  closeReport: (merchantAccount, folderUrl) => {
    const batchNumber = store.lastBatch(merchantAccount) + 1
    store.addBatch(merchantAccount, batchNumber, bookings.now())
    for (const each of store.unreported(merchantAccount)) {
      store.saveModification(
        each.status === 'failed' ? { ...each, reversedBatch: batchNumber } : { ...each, batch: batchNumber },
      )
    }
    const file = reportFileName(batchNumber)
    const url = `${folderUrl}/${file}`
    bookings.notify(reportItem(merchantAccount, file, url, bookings.now()))
    return { batchNumber, url }
  },
})
