import { useEffect, useId, useMemo, useRef, type FormEvent, type KeyboardEvent } from 'react'
import { brandByPrefix, inDisplayOrder, type BinCode } from '#contract/brands.ts'
import { yenText } from '#contract/yen.ts'
import type { PageCheckout } from '../answers.ts'
import { BrandLogo, NoBrand } from '../shop/brand-logo.tsx'
import { Button } from '../ui/button.tsx'
import { FieldProblemText, TextField } from '../ui/text-field.tsx'
import { useLanguage } from '../words/language.tsx'
import type { Words } from '../words/en-US.ts'
import styles from './card-form.module.css'
import { settleDigits, settleText, stepOverSeparator, type Format } from './digits.ts'
import type { CardField } from './fields.ts'
import type { Flow, FlowEvent } from './flow.ts'
import type { CardForm as Form } from './use-card-form.ts'
import { useLive } from '../ui/use-live.ts'
import { useMode } from './use-mode.ts'
import { useReturningFocus } from './use-returning-focus.ts'

interface FieldLook {
  readonly format: Format
  readonly autoComplete: string
  readonly inputMode: 'numeric' | 'text' | 'email'
  words(card: Words['card']): { readonly label: string; readonly example: string }
}

const looks: Record<CardField, FieldLook> = {
  cardNumber: {
    format: 'number',
    autoComplete: 'cc-number',
    inputMode: 'numeric',
    words: (card) => ({ label: card.number, example: card.numberExample }),
  },
  expiryDate: {
    format: 'expiry',
    autoComplete: 'cc-exp',
    inputMode: 'numeric',
    words: (card) => ({ label: card.expiry, example: card.expiryExample }),
  },
  cvc: {
    format: 'cvc',
    autoComplete: 'cc-csc',
    inputMode: 'numeric',
    words: (card) => ({ label: card.cvc, example: card.cvcExample }),
  },
  cardHolderName: {
    format: 'text',
    autoComplete: 'cc-name',
    inputMode: 'text',
    words: (card) => ({ label: card.holder, example: card.holderExample }),
  },
  email: {
    format: 'text',
    autoComplete: 'email',
    inputMode: 'email',
    words: (card) => ({ label: card.email, example: card.emailExample }),
  },
}

const settlers: Record<Format, (input: HTMLInputElement) => string> = {
  number: (input) => settleDigits(input, 'number'),
  expiry: (input) => settleDigits(input, 'expiry'),
  cvc: (input) => settleDigits(input, 'cvc'),
  text: settleText,
}

/** What the button says of the step that the payment is at. */
const stepWords = (flow: Flow, { card }: Words): string | undefined => {
  switch (flow.at) {
    case 'starting':
      return card.starting
    case 'collecting':
    case 'auth_start':
    case 'challenge':
      return card.authenticating
    case 'collect_error':
    case 'challenge_error':
      return card.returning
    case 'pay_start':
    case 'settled':
      return card.paying
    case 'reading':
      return flow.after === 'cancel' ? undefined : card.reading
    case 'init_start':
    case 'cancelling':
    case 'failed':
    case 'confirming':
      return undefined
  }
}

const noticeWords = (flow: Flow, { card }: Words): string | undefined => {
  if (flow.at !== 'init_start' || flow.notice === 'none') return undefined
  return flow.notice === 'nothing charged' ? card.nothingCharged : card.notAuthenticated
}

const isCancelling = (flow: Flow): boolean =>
  flow.at === 'cancelling' || (flow.at === 'reading' && flow.after === 'cancel')

/** What had the focus is gone, a panel, a frame or a pressed button: the focus goes to what became of the payment. */
const Notice = ({ words }: { readonly words: string }) => {
  const notice = useRef<HTMLParagraphElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <p ref={notice} tabIndex={-1} className={styles['notice']} role="status">
      {words}
    </p>
  )
}

interface CardFormProps {
  readonly checkout: PageCheckout
  readonly form: Form
  /** Which brand a number begins like. */
  readonly binCodes: readonly BinCode[]
  readonly flow: Flow
  readonly dispatch: (event: FlowEvent) => void
}

export const CardForm = ({ checkout, form, binCodes, flow, dispatch }: CardFormProps) => {
  const { words, locale } = useLanguage()
  const live = useLive()
  const mode = useMode()
  const pairProblems = useId()
  const { remember: rememberFocus, said } = useReturningFocus<HTMLDivElement>(flow.at)
  const brand = brandByPrefix(form.values.cardNumber, binCodes)

  const { change, touch, register } = form
  const handlers = useMemo(() => {
    const of = (field: CardField) => ({
      onChange: (value: string) => change(field, value),
      onBlur: () => touch(field),
      register: (input: HTMLInputElement | null) => register(field, input),
    })
    return {
      cardNumber: of('cardNumber'),
      expiryDate: of('expiryDate'),
      cvc: of('cvc'),
      cardHolderName: of('cardHolderName'),
      email: of('email'),
    } satisfies Record<CardField, object>
  }, [change, touch, register])

  const problemText = (field: CardField): string | undefined => {
    const problem = form.shownProblem(field)
    return problem === undefined ? undefined : words.problem[problem]
  }
  const field = (name: CardField) => {
    const { format, words: wordsOf, ...look } = looks[name]
    return {
      ...look,
      ...wordsOf(words.card),
      ...handlers[name],
      format,
      settle: settlers[format],
      ...(format === 'text' ? {} : { onKey: stepOverSeparator }),
      isReadOnly: flow.at !== 'init_start',
      isInvalid: form.shownProblem(name) !== undefined,
      problem: { text: problemText(name) },
    }
  }

  // Specification, section 4: while the form is invalid, while submitting, and after any call has been created.
  const idle = live && form.isValid && flow.at === 'init_start'
  const busyWords = stepWords(flow, words)
  const notice = noticeWords(flow, words)

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!idle) return
    rememberFocus()
    dispatch({ event: 'submit' })
  }
  /** The browser does not submit through a disabled button; the shopper who presses Enter is shown what is missing. */
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    // The Enter that ends a composition chooses a word; keyCode 229 is how Safari says so.
    if (event.nativeEvent.isComposing || event.keyCode === 229) {
      event.preventDefault()
      return
    }
    if (form.isValid) return
    event.preventDefault()
    const wrong = form.touchAll()
    if (wrong !== undefined) form.focus(wrong)
  }

  return (
    // The form listens for Enter on behalf of its fields.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form className={styles['form']} noValidate autoComplete="on" onSubmit={submit} onKeyDown={onKeyDown}>
      <h2 className={styles['heading']}>{words.card.heading}</h2>
      <ul className={styles['brands']} aria-label={words.bill.brands}>
        {inDisplayOrder(checkout.acceptedCardBrands).map((name) => (
          <li key={name}>
            <BrandLogo brand={name} />
          </li>
        ))}
      </ul>
      {mode === 'test' ? <p className={`${styles['notice']} ${styles['warning']}`}>{words.card.testMode}</p> : null}
      {notice === undefined ? null : <Notice words={notice} />}
      <p className={`${styles['notice']} ${styles['warning']} ${styles['needsScript']}`}>
        {words.card.needsJavaScript}
      </p>
      <TextField {...field('cardNumber')} end={brand === undefined ? <NoBrand /> : <BrandLogo brand={brand} />} />
      <div className={styles['pair']}>
        <TextField {...field('expiryDate')} problem={{ id: `${pairProblems}-expiry` }} />
        <TextField {...field('cvc')} problem={{ id: `${pairProblems}-cvc` }} />
        <div className={styles['pairProblems']}>
          <FieldProblemText id={`${pairProblems}-expiry`} text={problemText('expiryDate')} />
          <FieldProblemText id={`${pairProblems}-cvc`} text={problemText('cvc')} />
        </div>
      </div>
      <TextField {...field('cardHolderName')} />
      <TextField {...field('email')} />
      <div className={styles['buttons']}>
        {/* The words in the button change without the focus on it: only here a screen reader hears them. */}
        <div ref={said} tabIndex={-1} className={styles['said']} role="status">
          {isCancelling(flow) ? words.card.cancelling : busyWords}
        </div>
        <Button kind="primary" type="submit" disabled={!idle} busy={busyWords !== undefined}>
          {busyWords ?? words.card.pay(yenText(checkout.amount, locale))}
        </Button>
        {checkout.links.cancelUrl === undefined ? null : (
          <Button
            kind="secondary"
            type="button"
            disabled={!idle}
            busy={isCancelling(flow)}
            onClick={() => {
              rememberFocus()
              dispatch({ event: 'cancel' })
            }}
          >
            {isCancelling(flow) ? words.card.cancelling : words.card.cancel}
          </Button>
        )}
      </div>
    </form>
  )
}
