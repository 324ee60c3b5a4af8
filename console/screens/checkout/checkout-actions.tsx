/** Actions of a checkout: refund, cancel, send the receipt again, copy the link, show its QR code, print. */
import { useState } from 'react'
import { Button } from '../../forms/button.tsx'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { cancelMerchantCheckout, drawQrCode, sendReceipt } from '#contract/merchant/checkouts.ts'
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import { hasRole } from '#contract/console/roles.ts'
import { CopyButton } from '../../forms/copy-button.tsx'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Dialog } from '../../forms/dialog.tsx'
import { FailureNotice } from '../../forms/notice.tsx'
import { useShop } from '../../session/session.tsx'
import { useAction, useRead, useSend } from '../../session/use-calls.ts'
import { useToast } from '../../shell/toast.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { QrPicture } from '../sharing/qr-picture.tsx'
import { refundableYen } from './refund-amounts.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { checkoutWords } from './words.ts'
import styles from './checkout.module.css'

interface ActionsProps {
  readonly checkout: MerchantCheckoutAnswer
  readonly refunds: readonly RefundAnswer[]
  /** Reads the checkout again. */
  onChanged(): Promise<unknown>
}

interface DialogProps {
  readonly checkout: MerchantCheckoutAnswer
  onClose(): void
}

const QrDialog = ({ checkout, onClose }: DialogProps) => {
  const [words, { close }] = [useWords(checkoutWords), useWords(sharedWords)]
  const qr = useRead(drawQrCode, { params: { checkoutId: checkout.id } })
  return (
    <Dialog
      title={words.qr}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="secondary" type="button" onClick={onClose}>
          {close}
        </Button>
      }
    >
      <QrPicture of={qr} />
    </Dialog>
  )
}

const CancelDialog = ({ checkout, onClose, onDone }: DialogProps & { onDone(status: string): Promise<void> }) => {
  const [words, { close }] = [useWords(checkoutWords), useWords(sharedWords)]
  const send = useSend()
  return (
    <ConfirmDialog
      title={words.cancelTitle}
      text={words.cancelText}
      action={words.cancelLink}
      dismiss={close}
      act={() => send(cancelMerchantCheckout, { params: { checkoutId: checkout.id } })}
      onDone={({ status }) => onDone(status)}
      onClose={onClose}
    />
  )
}

const newRefundId = (): string => `console-${crypto.randomUUID()}`

export const CheckoutActions = ({ checkout, refunds, onChanged }: ActionsProps) => {
  const [words, { yen }] = [useWords(checkoutWords), useFormats()]
  const [{ role }, send, toast] = [useShop(), useSend(), useToast()]
  const [open, setOpen] = useState<'refund' | 'cancel' | 'qr' | null>(null)
  const [refundId, setRefundId] = useState(newRefundId)
  const isPaid = checkout.status === 'paid' || checkout.status === 'refunded'
  // Not while its money may be moving: nobody should be asked to pay meanwhile.
  const isOpen = checkout.status === 'open' && !checkout.paymentPending
  const receipt = useAction(
    () => send(sendReceipt, { params: { checkoutId: checkout.id } }),
    async () => {
      toast(words.receiptSent)
      await onChanged()
    },
  )
  const close = (): void => setOpen(null)
  const openRefund = (): void => {
    // The answer of the last one was lost: this is another.
    if (refunds.some((refund) => refund.refundId === refundId)) setRefundId(newRefundId())
    setOpen('refund')
  }
  return (
    <div className={styles['actions']}>
      {isPaid && hasRole(role, 'owner') && refundableYen(checkout, refunds) > 0 ? (
        <Button kind="primary" type="button" onClick={openRefund}>
          {words.refund}
        </Button>
      ) : null}
      {isOpen ? <CopyButton text={checkout.url}>{words.copyLink}</CopyButton> : null}
      {isOpen ? (
        <Button kind="secondary" type="button" onClick={() => setOpen('qr')}>
          {words.qr}
        </Button>
      ) : null}
      {isPaid && hasRole(role, 'staff') ? (
        <Button kind="secondary" type="button" onClick={receipt.run} busy={receipt.isRunning}>
          {words.receipt}
        </Button>
      ) : null}
      {isOpen && hasRole(role, 'staff') ? (
        <Button kind="secondary" type="button" onClick={() => setOpen('cancel')}>
          {words.cancelLink}
        </Button>
      ) : null}
      <Button kind="secondary" type="button" onClick={() => window.print()}>
        {words.print}
      </Button>
      <FailureNotice failure={receipt.failure} />
      {open === 'qr' ? <QrDialog checkout={checkout} onClose={close} /> : null}
      {open === 'cancel' ? (
        <CancelDialog
          checkout={checkout}
          onClose={close}
          onDone={async (status) => {
            close()
            toast(status === 'cancelled' ? words.cancelled : words.notCancelled)
            await onChanged()
          }}
        />
      ) : null}
      {open === 'refund' ? (
        <RefundDialog
          checkout={checkout}
          refunds={refunds}
          refundId={refundId}
          onClose={close}
          onRefunded={async ({ status, amount }) => {
            close()
            setRefundId(newRefundId())
            toast(words.refundDone[status](yen(amount)))
            await onChanged()
          }}
          onRefused={() => void onChanged()}
        />
      ) : null}
    </div>
  )
}
