import { useCallback, useMemo, useRef, useState } from 'react'
import type { FieldProblem, PageMode } from '#contract/card.ts'
import { EMPTY_VALUES, FIELD_ORDER, validateCardForm, type CardField, type CardFormValues } from './fields.ts'

/** Card form state: the typed values, their problems, and the inputs for focus. The browser owns what the inputs show. */
export interface CardFormState {
  readonly values: CardFormValues
  readonly isValid: boolean
  /** A problem is shown once its field has lost the focus; from then on with every key. */
  shownProblem(field: CardField): FieldProblem | undefined
  change(field: CardField, value: string): void
  touch(field: CardField): void
  /** Shows every problem and returns the first invalid field. */
  touchAll(): CardField | undefined
  /** Removes the card from memory and from the inputs: called before the browser leaves for another site. */
  clear(): void
  focus(field: CardField): void
  register(field: CardField, input: HTMLInputElement | null): void
}

const NONE_TOUCHED: ReadonlySet<CardField> = new Set()

export const useCardForm = (mode: PageMode, now: number): CardFormState => {
  const [values, setValues] = useState(EMPTY_VALUES)
  const [touched, setTouched] = useState(NONE_TOUCHED)
  const inputs = useRef(new Map<CardField, HTMLInputElement>())
  const problems = useMemo(() => validateCardForm(values, mode, now), [values, mode, now])

  const change = useCallback((field: CardField, value: string) => {
    setValues((known) => (known[field] === value ? known : { ...known, [field]: value }))
  }, [])
  const touch = useCallback((field: CardField) => {
    setTouched((known) => (known.has(field) ? known : new Set([...known, field])))
  }, [])
  const register = useCallback((field: CardField, input: HTMLInputElement | null) => {
    if (input === null) inputs.current.delete(field)
    else inputs.current.set(field, input)
  }, [])
  const empty = useCallback(() => {
    for (const input of inputs.current.values()) input.value = ''
    setValues(EMPTY_VALUES)
    setTouched(NONE_TOUCHED)
  }, [])

  return {
    values,
    isValid: Object.keys(problems).length === 0,
    shownProblem: (field) => (touched.has(field) ? problems[field] : undefined),
    change,
    touch,
    touchAll: () => {
      setTouched(new Set(FIELD_ORDER))
      return FIELD_ORDER.find((field) => problems[field] !== undefined)
    },
    clear: empty,
    focus: (field) => inputs.current.get(field)?.focus(),
    register,
  }
}
