/** Card form state: the typed values, their problems, and the inputs for focus. The browser owns what the inputs show. */
import { useCallback, useMemo, useRef, useState } from 'react'
import type { FieldProblem, PageMode } from '#contract/card.ts'
import {
  EMPTY_VALUES,
  FIELD_ORDER,
  validateCardForm,
  withoutCard,
  type CardField,
  type CardFormValues,
} from './fields.ts'

export interface CardFormState {
  readonly values: CardFormValues
  /** What keeps the form from being paid with, in the order of the page. */
  readonly invalidFields: readonly CardField[]
  /** A problem is shown once its field has lost the focus; from then on with every key. */
  shownProblem(field: CardField): FieldProblem | undefined
  change(field: CardField, value: string): void
  touch(field: CardField): void
  /** Shows every problem and returns the first invalid field. */
  touchAll(): CardField | undefined
  /** Removes everything from memory and from the inputs: called as the browser leaves for another site. A stable function. */
  clear(): void
  /** Removes the card. Name and e-mail stay: whoever has to try again need not type them again. */
  clearCard(): void
  focus(field: CardField): void
  register(field: CardField, input: HTMLInputElement | null): void
}

const NONE_TOUCHED: ReadonlySet<CardField> = new Set()

const writeValues = (inputs: ReadonlyMap<CardField, HTMLInputElement>, values: CardFormValues): void => {
  for (const [field, input] of inputs) input.value = values[field]
}

export const useCardForm = (mode: PageMode, now: number): CardFormState => {
  const [values, setValues] = useState(EMPTY_VALUES)
  const [touched, setTouched] = useState(NONE_TOUCHED)
  const inputs = useRef(new Map<CardField, HTMLInputElement>())
  const kept = useRef(EMPTY_VALUES)
  const problems = useMemo(() => validateCardForm(values, mode, now), [values, mode, now])

  const change = useCallback((field: CardField, value: string) => {
    setValues((known) => (known[field] === value ? known : { ...known, [field]: value }))
  }, [])
  const touch = useCallback((field: CardField) => {
    setTouched((known) => (known.has(field) ? known : new Set([...known, field])))
  }, [])
  const register = useCallback((field: CardField, input: HTMLInputElement | null) => {
    if (input === null) {
      inputs.current.delete(field)
      return
    }
    inputs.current.set(field, input)
    // A form that returns has new inputs. At hydration nothing is kept, and what was typed or filled in stays untouched.
    if (kept.current[field] !== '') input.value = kept.current[field]
  }, [])
  const replaceValues = useCallback((replacement: CardFormValues) => {
    kept.current = replacement
    writeValues(inputs.current, replacement)
    setValues(replacement)
    setTouched(NONE_TOUCHED)
  }, [])
  const clear = useCallback(() => replaceValues(EMPTY_VALUES), [replaceValues])

  return {
    values,
    invalidFields: FIELD_ORDER.filter((field) => problems[field] !== undefined),
    shownProblem: (field) => (touched.has(field) ? problems[field] : undefined),
    change,
    touch,
    touchAll: () => {
      setTouched(new Set(FIELD_ORDER))
      return FIELD_ORDER.find((field) => problems[field] !== undefined)
    },
    clear,
    clearCard: () => replaceValues(withoutCard(values)),
    focus: (field) => inputs.current.get(field)?.focus(),
    register,
  }
}
