/** Keypad: the amount, by fingers or by a keyboard, and what it is for. */
import { useId, useState } from 'react'
import { Button } from '../../forms/button.tsx'
import { SUBJECT_MAX_LENGTH } from '#contract/text-limits.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { CallFailure } from '../../session/api.ts'
import { useWords } from '../../words/language.tsx'
import styles from './counter.module.css'
import { KEYPAD_KEYS, pressKey, typedDigits } from './keypad-keys.ts'
import { useStepFocus } from './use-step-focus.ts'
import { counterWords } from './words.ts'

interface KeypadProps {
  onShow(amount: number, subject: string): void
  onEdit(): void
  readonly isBusy: boolean
  readonly failure: CallFailure | null
  /** It takes the place of the customer before. */
  readonly isNext: boolean
}

export const Keypad = ({ onShow, onEdit, isBusy, failure, isNext }: KeypadProps) => {
  const words = useWords(counterWords)
  const id = useId()
  const [digits, setDigits] = useState('')
  const [subject, setSubject] = useState('')
  // An input method doubles what it composes in a field that is rewritten meanwhile.
  const [composed, setComposed] = useState<string | null>(null)
  const amount = useStepFocus<HTMLInputElement>(isNext)
  const isRefusedAmount = failure?.code === 'invalid_field' && failure.params['field'] === 'amount'
  const enter = (next: string): void => {
    setDigits(next)
    onEdit()
  }
  return (
    <Form
      onSubmit={() => {
        if (digits !== '') onShow(Number(digits), subject.trim())
      }}
      failure={isRefusedAmount ? null : failure}
      actions={
        <Button kind="primary" type="submit" busy={isBusy} disabled={digits === ''}>
          {words.show}
        </Button>
      }
    >
      <div className={styles['entry']}>
        <label className={styles['label']} htmlFor={id}>
          {words.amount}
        </label>
        <div className={styles['amount']}>
          <span aria-hidden="true">¥</span>
          {/* Without a keyboard on the screen: the keys below are larger. */}
          <input
            id={id}
            className={styles['digits']}
            inputMode="none"
            autoComplete="off"
            placeholder="0"
            ref={amount}
            value={composed ?? (digits === '' ? '' : withThousandsSeparators(Number(digits)))}
            onChange={({ target: { value } }) => (composed === null ? enter(typedDigits(value)) : setComposed(value))}
            onCompositionStart={({ currentTarget: { value } }) => setComposed(value)}
            onCompositionEnd={({ currentTarget: { value } }) => {
              setComposed(null)
              enter(typedDigits(value))
            }}
            aria-invalid={isRefusedAmount}
            aria-describedby={isRefusedAmount ? `${id}-problem` : undefined}
          />
        </div>
        {isRefusedAmount ? (
          <p className={styles['problem']} id={`${id}-problem`} role="alert">
            {words.amountProblem}
          </p>
        ) : null}
      </div>
      <div className={styles['keys']} role="group" aria-label={words.keypad}>
        {KEYPAD_KEYS.map((key) => (
          <button key={key} type="button" className={styles['key']} onClick={() => enter(pressKey(digits, key))}>
            {key === 'back' ? (
              <>
                <span aria-hidden="true">⌫</span>
                <span className={styles['hidden']}>{words.back}</span>
              </>
            ) : (
              key
            )}
          </button>
        ))}
      </div>
      <TextField
        label={words.subject}
        value={subject}
        onChange={(text) => {
          setSubject(text)
          onEdit()
        }}
        maxLength={SUBJECT_MAX_LENGTH}
      />
    </Form>
  )
}
