/** Counter screen: keypad, QR code, paid, and the next customer. */
import { useCallback, useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { DAY_MS } from '#contract/jst.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { createCheckout, type CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import { Icon } from '../../forms/icon.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Card, Screen } from '../../shell/screen.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import styles from './counter.module.css'
import { Keypad } from './keypad.tsx'
import { useStepFocus } from './use-step-focus.ts'
import { Waiting } from './waiting.tsx'
import { counterWords } from './words.ts'

type Step =
  /** `isNext`: it takes the place of the customer before. */
  | { readonly at: 'keypad'; readonly isNext: boolean }
  | { readonly at: 'waiting' | 'settled'; readonly checkout: MerchantCheckoutAnswer }

/** Whoever stands at the counter pays now. A day, and no less, as the clock of a tablet may be wrong by hours. */
const PAYABLE_MS = DAY_MS

interface Request {
  readonly key: string
  readonly body: CreateCheckoutBody
}

/**
 * `request`: what was sent. Sent again as it was, after an answer was lost, it opens one checkout; with a deadline of its own it
 * would be another request under the same key, which is refused.
 */
const useCreate = (onCreated: (checkout: MerchantCheckoutAnswer) => void) => {
  const send = useSend()
  const [request, setRequest] = useState<Request | null>(null)
  const creating = useAction(
    ({ key, body }: Request) => send(createCheckout, { body, headers: { 'idempotency-key': key } }),
    onCreated,
  )
  const show = (amount: number, subject: string): void => {
    const validUntil = new Date(Date.now() + PAYABLE_MS).toISOString()
    const body = { amount, validUntil, ...(subject === '' ? {} : { subject }) }
    const sent = request ?? { key: crypto.randomUUID(), body }
    setRequest(sent)
    creating.run(sent)
  }
  const renew = (): void => {
    setRequest(null)
    creating.reset()
  }
  return { ...creating, show, renew }
}

interface SettledProps {
  readonly checkout: MerchantCheckoutAnswer
  onNext(): void
}

const Settled = ({ checkout: { status, amount, card }, onNext }: SettledProps) => {
  const words = useWords(counterWords)
  const { yen } = useFormats()
  const isPaid = status === 'paid'
  return (
    <div className={styles['settled']}>
      <div className={isPaid ? styles['check'] : styles['cross']}>
        <Icon name={isPaid ? 'check' : 'close'} size={64} />
      </div>
      <p className={styles['total']} tabIndex={-1} ref={useStepFocus()}>
        {yen(amount)}
      </p>
      {card === undefined ? null : <p className={styles['lead']}>{words.card(card.number)}</p>}
      <Button kind="primary" type="button" onClick={onNext}>
        {words.next}
      </Button>
    </div>
  )
}

/** What is said of a step, to screen readers too; empty: nothing. */
const useStatusText = (step: Step): string => {
  const words = useWords(counterWords)
  if (step.at === 'keypad') return ''
  const { status, paymentPending } = step.checkout
  if (status !== 'open') return status === 'paid' ? words.paid : words.closed[status]
  return paymentPending ? words.paying : words.waiting
}

export const CounterScreen = () => {
  const words = useWords(counterWords)
  const [step, setStep] = useState<Step>({ at: 'keypad', isNext: false })
  const creating = useCreate((checkout) => setStep({ at: 'waiting', checkout }))
  const follow = useCallback(
    (checkout: MerchantCheckoutAnswer) => setStep({ at: checkout.status === 'open' ? 'waiting' : 'settled', checkout }),
    [],
  )
  const next = (): void => {
    creating.renew()
    setStep({ at: 'keypad', isNext: true })
  }
  return (
    <Screen title={words.title}>
      <div className={styles['counter']}>
        <Card>
          {/* Always there: a region that comes together with its text is not announced. */}
          <p className={`${styles['state']} ${step.at === 'settled' ? styles['outcome'] : ''}`} role="status">
            {useStatusText(step)}
          </p>
          {step.at === 'keypad' ? (
            <Keypad
              onShow={creating.show}
              onEdit={creating.renew}
              isBusy={creating.isRunning}
              failure={creating.failure}
              isNext={step.isNext}
            />
          ) : step.at === 'waiting' ? (
            <Waiting checkout={step.checkout} onRead={follow} onNext={next} />
          ) : (
            <Settled checkout={step.checkout} onNext={next} />
          )}
        </Card>
      </div>
    </Screen>
  )
}
