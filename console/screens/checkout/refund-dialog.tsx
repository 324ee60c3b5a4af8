/** Refund dialog: all that is left or a part, by tax rate where the checkout has taxes. The passkey is asked for by the shell. */
import { useEffect, useState } from 'react'
import { Button } from '../../forms/button.tsx'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { refundCheckout, type RefundAnswer } from '#contract/merchant/refunds.ts'
import { Dialog } from '../../forms/dialog.tsx'
import { FailureNotice, Notice } from '../../forms/notice.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { YenField } from '../../forms/yen-field.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { useFormats, useWords } from '../../words/language.tsx'
import { sharedWords } from '../../words/shared-words.ts'
import { readPartRefund, refundableTaxes, refundableYen, wholeRefund } from './refund-amounts.ts'
import { checkoutWords } from './words.ts'
import styles from './checkout.module.css'

interface RefundDialogProps {
  readonly checkout: MerchantCheckoutAnswer
  readonly refunds: readonly RefundAnswer[]
  /** The same until a refund was made: sent twice, whatever became of the first answer, it gives back once. */
  readonly refundId: string
  onClose(): void
  onRefunded(refund: RefundAnswer): Promise<void>
  /** It was refused, or its answer was lost: what is left may be another amount now. */
  onRefused(): void
}

export const RefundDialog = ({ checkout, refunds, refundId, onClose, onRefunded, onRefused }: RefundDialogProps) => {
  const [words, { cancel }] = [useWords(checkoutWords), useWords(sharedWords)]
  const { yen } = useFormats()
  const send = useSend()
  const [which, setWhich] = useState<'whole' | 'part'>('whole')
  const [typed, setTyped] = useState<readonly string[]>([])
  const [isChecked, setChecked] = useState(false)
  const left = { amount: refundableYen(checkout, refunds), taxes: refundableTaxes(checkout, refunds) }
  const fields = left.taxes.length === 0 ? [null] : left.taxes
  const part = readPartRefund(
    left,
    fields.map((_field, at) => typed[at] ?? ''),
  )
  const wanted =
    which === 'whole' ? { amount: left.amount, body: wholeRefund(left) } : part.state === 'amount' ? part : null
  const refunding = useAction(async () => {
    const result = await send(refundCheckout, {
      params: { checkoutId: checkout.id },
      body: { refundId, ...wanted?.body },
    })
    if (!result.ok) onRefused()
    return result
  }, onRefunded)
  const { isRunning } = refunding
  // Its answer was lost, and reading again has found it. A second refund of the same amount would be taken as a repeat of it.
  const made = isRunning ? undefined : refunds.find((refund) => refund.refundId === refundId)
  useEffect(() => {
    if (made !== undefined) void onRefunded(made)
  }, [made, onRefunded])
  const problem = ((): string | undefined => {
    if (which === 'whole' || part.state === 'amount') return undefined
    if (part.state === 'too much') return words.tooMuch(yen(part.left))
    return isChecked || part.state === 'wrong' ? words.partProblem : undefined
  })()
  return (
    <Dialog
      title={words.refundTitle}
      isOpen
      onClose={onClose}
      isDismissable={!isRunning}
      actions={
        <>
          <Button
            kind="primary"
            type="button"
            busy={isRunning}
            disabled={left.amount === 0}
            onClick={() => {
              setChecked(true)
              if (wanted !== null) refunding.run()
            }}
          >
            {wanted === null ? words.refund : words.doRefund(yen(wanted.amount))}
          </Button>
          <Button kind="secondary" type="button" onClick={onClose} disabled={isRunning}>
            {cancel}
          </Button>
        </>
      }
    >
      <div className={styles['dialog']}>
        <p>{words.refundLeft(yen(left.amount))}</p>
        {(checkout.disputes ?? []).some(({ withdrawnAmount }) => withdrawnAmount > 0) ? (
          <Notice kind="info">{words.refundDisputed}</Notice>
        ) : null}
        <SelectField<'whole' | 'part'>
          label={words.refundTitle}
          value={which}
          choices={[
            { value: 'whole', label: words.whole(yen(left.amount)) },
            { value: 'part', label: words.part },
          ]}
          onChange={setWhich}
        />
        {which === 'whole'
          ? null
          : fields.map((tax, at) => (
              <YenField
                key={tax?.rate ?? 'amount'}
                label={tax === null ? words.partAmount : words.partAt(tax.rate, yen(tax.amount))}
                value={typed[at] ?? ''}
                onChange={(text) =>
                  setTyped(fields.map((_field, place) => (place === at ? text : (typed[place] ?? ''))))
                }
                problem={at === fields.length - 1 ? problem : undefined}
              />
            ))}
        <p className={styles['note']}>{words.refundNote}</p>
        <FailureNotice failure={refunding.failure} />
      </div>
    </Dialog>
  )
}
