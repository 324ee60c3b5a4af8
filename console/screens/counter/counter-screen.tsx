/** Counter screen: keypad, QR code, paid, and the next customer. */
import { useCallback, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { DAY_MS } from '#contract/jst.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { createCheckout } from '#contract/merchant/checkouts.ts'
import { Icon } from '../../forms/icon.tsx'
import { useAction, useSend } from '../../session/use-calls.ts'
import { Card, Screen } from '../../shell/screen.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import styles from './counter.module.css'
import { Keypad } from './keypad.tsx'
import { Waiting } from './waiting.tsx'
import { counterWords } from './words.ts'

type Step =
  | { readonly at: 'keypad' }
  | { readonly at: 'waiting'; readonly checkout: MerchantCheckoutAnswer }
  | { readonly at: 'settled'; readonly checkout: MerchantCheckoutAnswer }

/** Whoever stands at the counter pays now. A day, and no less, as the clock of a tablet may be wrong by hours. */
const PAYABLE_MS = DAY_MS

/** `key`: the same request sent again, after an answer was lost, opens one checkout. */
const useCreate = (onCreated: (checkout: MerchantCheckoutAnswer) => void) => {
  const send = useSend()
  const [key, setKey] = useState(() => crypto.randomUUID())
  const creating = useAction((amount: number, subject: string) => {
    const validUntil = new Date(Date.now() + PAYABLE_MS).toISOString()
    const body = { amount, validUntil, ...(subject === '' ? {} : { subject }) }
    return send(createCheckout, { body, headers: { 'idempotency-key': key } })
  }, onCreated)
  const renew = (): void => {
    setKey(crypto.randomUUID())
    creating.reset()
  }
  return { ...creating, renew }
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
      <p className={styles['outcome']} role="status">
        {isPaid || status === 'open' ? words.paid : words.closed[status]}
      </p>
      <p className={styles['total']}>{yen(amount)}</p>
      {card === undefined ? null : <p className={styles['lead']}>{words.card(card.number)}</p>}
      <Button kind="primary" type="button" onClick={onNext}>
        {words.next}
      </Button>
    </div>
  )
}

export const CounterScreen = () => {
  const words = useWords(counterWords)
  const [step, setStep] = useState<Step>({ at: 'keypad' })
  const creating = useCreate((checkout) => setStep({ at: 'waiting', checkout }))
  const settle = useCallback((checkout: MerchantCheckoutAnswer) => setStep({ at: 'settled', checkout }), [])
  const next = (): void => {
    creating.renew()
    setStep({ at: 'keypad' })
  }
  return (
    <Screen title={words.title}>
      <div className={styles['counter']}>
        <Card>
          {step.at === 'keypad' ? (
            <Keypad
              onShow={creating.run}
              onEdit={creating.renew}
              isBusy={creating.isRunning}
              failure={creating.failure}
            />
          ) : step.at === 'waiting' ? (
            <Waiting checkout={step.checkout} onSettled={settle} />
          ) : (
            <Settled checkout={step.checkout} onNext={next} />
          )}
        </Card>
      </div>
    </Screen>
  )
}
