/** Card form: the five fields, the pay and the cancel button, and what the page says about the payment's progress. */
import { useEffect, useId, useRef, type FormEvent, type KeyboardEvent } from 'react'
import { brandByPrefix, inDisplayOrder, type BinCode } from '#contract/brands.ts'
import { yenText } from '#contract/yen.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { BrandLogo, SecurityCodePicture, UnknownBrandLogo } from '../shop/brand-logo.tsx'
import { Button } from '#ui/button.tsx'
import { FieldProblemText, TextField } from '../ui/text-field.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import type { Words } from '../words/en-US.ts'
import notices from '../ui/notice.module.css'
import styles from './card-form.module.css'
import { moveCaretOverSeparator } from './field-format.ts'
import { fieldSettings, formatters } from './field-settings.ts'
import { FIELD_ORDER, type CardField } from './fields.ts'
import type { Flow, FlowEvent, FormNotice } from '../payment/flow.ts'
import type { CardFormState } from './use-card-form.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import { usePageMode } from '../location.ts'
import { useRestoreFocus } from './use-restore-focus.ts'

/** Also until the merchant's page is there, to which only the shopper's own cancel of an unpaid checkout leads. */
const isCancelling = (flow: Flow): boolean =>
  flow.state === 'cancelling' ||
  (flow.state === 'reading' && flow.after === 'cancel') ||
  (flow.state === 'finished' && flow.checkout.status === 'cancelled' && flow.leaveTo !== null)

/** What the pay button shows while the payment is in progress. */
const progressText = (flow: Flow, { card }: Words): string | undefined => {
  switch (flow.state) {
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
      return card.paying
    case 'finished':
      // Until the next screen or the merchant's page is there.
      if (isCancelling(flow)) return undefined
      return flow.checkout.status === 'paid' ? card.paying : card.reading
    case 'reading':
      return flow.after === 'cancel' ? undefined : card.reading
    case 'init_start':
    case 'cancelling':
    case 'failed':
    case 'confirming':
      return undefined
  }
}

const noticeText = (flow: Flow, { card, problem }: Words): string | undefined => {
  if (flow.state !== 'init_start') return undefined
  const texts: Record<FormNotice, string | undefined> = {
    none: undefined,
    'nothing charged': card.nothingCharged,
    'not cancelled': card.notCancelled,
    'cancel unconfirmed': card.cancelUnconfirmed,
    'not authenticated': card.notAuthenticated,
    'card refused': card.cardRefused,
    'not a test card': problem.notATestCard,
    'too many attempts': card.tooManyAttempts,
  }
  return texts[flow.notice]
}

/** What is missing, by the labels of the fields; nothing once the form can be paid with. */
const missingText = (fields: readonly CardField[], { card }: Words): string => {
  if (fields.length === FIELD_ORDER.length) return card.completeAll
  const [first, ...others] = fields.map((field) => card[fieldSettings[field].label])
  return first === undefined ? '' : card.stillNeeded(others.reduce((list, next) => card.listed(list, next), first))
}

/** Takes the focus: the panel or the frame that had it is gone. After a dialog the button that was pressed has it again. */
const Notice = ({ words }: { readonly words: string }) => {
  const notice = useRef<HTMLParagraphElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <p ref={notice} tabIndex={-1} className={notices['notice']} role="status">
      {words}
    </p>
  )
}

interface CardFormProps {
  readonly checkout: PageCheckout
  readonly form: CardFormState
  /** The brand by the first digits of a card number. */
  readonly binCodes: readonly BinCode[]
  readonly flow: Flow
  readonly dispatch: (event: FlowEvent) => void
}

export const CardForm = ({ checkout, form, binCodes, flow, dispatch }: CardFormProps) => {
  const { words, locale } = useLanguage()
  const isHydrated = useHydrated()
  // By its address, or because its shop is paid at a double.
  const isTest = usePageMode() === 'test' || checkout.testCardsOnly === true
  const id = useId()
  const { rememberFocus, statusRef } = useRestoreFocus<HTMLDivElement>(flow.state)
  const brand = brandByPrefix(form.values.cardNumber, binCodes)

  const problemText = (field: CardField): string | undefined => {
    const problem = form.shownProblem(field)
    return problem === undefined ? undefined : words.problem[problem]
  }
  const field = (name: CardField) => {
    const { format, label, ...settings } = fieldSettings[name]
    const example = words.card[`${label}Example`]
    return {
      ...settings,
      name,
      format,
      label: words.card[label],
      placeholder: typeof example === 'string' ? example : example(brand === 'amex' ? '4' : '3'),
      onChange: form.change,
      onBlur: form.touch,
      register: form.register,
      formatInput: formatters[format],
      ...(format === 'text' ? {} : { onKey: moveCaretOverSeparator }),
      isReadOnly: flow.state !== 'init_start',
      isInvalid: form.shownProblem(name) !== undefined,
      problem: { text: problemText(name) },
    }
  }

  // Specification, section 4: both buttons are disabled while the form is invalid and once any call has been made.
  const idle = isHydrated && form.invalidFields.length === 0 && flow.state === 'init_start'
  const progress = progressText(flow, words)
  const notice = noticeText(flow, words)

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!idle) return
    rememberFocus()
    dispatch({ type: 'submit' })
  }
  /** The browser does not submit while the button is disabled; a shopper who presses Enter is shown what is missing. */
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    // The Enter that ends a composition only chooses a word; Safari reports it as keyCode 229.
    if (event.nativeEvent.isComposing || event.keyCode === 229) {
      event.preventDefault()
      return
    }
    if (form.invalidFields.length === 0) return
    event.preventDefault()
    const invalid = form.touchAll()
    if (invalid !== undefined) form.focus(invalid)
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
      {isTest ? <p className={`${notices['notice']} ${notices['warning']}`}>{words.card.testMode}</p> : null}
      {notice === undefined ? null : <Notice words={notice} />}
      <p className={`${notices['notice']} ${notices['warning']} ${styles['needsScript']}`}>
        {words.card.needsJavaScript}
      </p>
      <TextField
        {...field('cardNumber')}
        trailing={brand === undefined ? <UnknownBrandLogo /> : <BrandLogo brand={brand} />}
      />
      <div className={styles['pair']}>
        <TextField {...field('expiryDate')} problem={{ id: `${id}-expiry` }} />
        <TextField
          {...field('cvc')}
          problem={{ id: `${id}-cvc` }}
          trailing={<SecurityCodePicture brand={brand} onBack={words.card.cvcOnBack} onFront={words.card.cvcOnFront} />}
        />
        <FieldProblemText id={`${id}-expiry`} text={problemText('expiryDate')} />
        <FieldProblemText id={`${id}-cvc`} text={problemText('cvc')} />
      </div>
      <TextField {...field('cardHolderName')} />
      <TextField {...field('email')} />
      <div className={styles['buttons']}>
        {/* The button's text changes while it has no focus: a screen reader announces it only from here. */}
        <div ref={statusRef} tabIndex={-1} className={styles['visuallyHidden']} role="status">
          {isCancelling(flow) ? words.card.cancelling : progress}
        </div>
        <Button
          kind="primary"
          type="submit"
          disabled={!idle}
          busy={progress !== undefined}
          describedBy={`${id}-missing`}
        >
          {progress ?? words.card.pay(yenText(checkout.amount, locale))}
        </Button>
        <p id={`${id}-missing`} className={styles['missing']}>
          {flow.state === 'init_start' ? missingText(form.invalidFields, words) : null}
        </p>
        {checkout.links.cancelUrl === undefined ? null : (
          <Button
            kind="secondary"
            type="button"
            disabled={!idle}
            busy={isCancelling(flow)}
            onClick={() => {
              rememberFocus()
              dispatch({ type: 'cancel' })
            }}
          >
            {isCancelling(flow) ? words.card.cancelling : words.card.cancel}
          </Button>
        )}
      </div>
    </form>
  )
}
