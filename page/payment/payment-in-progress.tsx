/** Payment in progress, from the pressed button to its outcome: its calls, its hidden frames, and the failure dialog. */
import type { PageCheckout } from '../parse-answers.ts'
import { CollectFrames } from '../three-ds/collect-frames.tsx'
import { Modal } from '../ui/modal.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import type { PaymentFlow } from './flow.ts'
import { useConfirmingReads } from './use-confirming-reads.ts'
import { useCheckoutReader } from './read-after-unanswered-pay.ts'
import { usePaymentCalls, type PaymentForm } from './use-payment-calls.ts'

interface PaymentInProgressProps extends PaymentFlow {
  readonly checkout: PageCheckout
  readonly form: PaymentForm
}

export const PaymentInProgress = ({ checkout, form, flow, dispatch }: PaymentInProgressProps) => {
  const { words } = useLanguage()
  const reader = useCheckoutReader(checkout.id)
  usePaymentCalls({ flow, dispatch }, checkout, form, reader)
  useConfirmingReads({ flow, dispatch }, reader)
  if (flow.state === 'collecting') return <CollectFrames collecting={flow} dispatch={dispatch} />
  if (flow.state !== 'failed') return null
  return (
    <Modal
      message={words.failure.payment}
      confirm={words.failure.ok}
      onClose={() => dispatch({ type: 'dialog closed' })}
    />
  )
}
