/**
 * Text field: an uncontrolled input with a label. React never writes its value, so neither a re-render nor hydration nor an
 * input method in the middle of a word can lose or double what was typed.
 */
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import styles from './text-field.module.css'

export interface TextFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly autoComplete: string
  readonly inputMode: 'numeric' | 'text' | 'email'
  /** In the markup as `data-format`, by which `pre-hydration.ts` finds the field. */
  readonly format: string
  /** Formats the field in place and returns its value. Never called while an input method composes. */
  readonly formatInput: (input: HTMLInputElement) => string
  /** Called before the browser acts on the key. */
  readonly onKey?: (input: HTMLInputElement, key: string) => void
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly register: (input: HTMLInputElement | null) => void
  /** While the values are being sent they cannot be edited. */
  readonly isReadOnly: boolean
  readonly isInvalid: boolean
  /** The problem's text, shown under this field, or the id of the element elsewhere that shows it. */
  readonly problem: { readonly text: string | undefined } | { readonly id: string }
  readonly trailing?: ReactNode
}

export const TextField = (props: TextFieldProps) => {
  const { formatInput, onChange, register } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const composing = useRef(false)
  const tookOverValue = useRef(false)

  const commit = (): void => {
    if (input.current !== null && !composing.current) onChange(formatInput(input.current))
  }

  useLayoutEffect(() => {
    register(input.current)
    return () => register(null)
  }, [register])

  useLayoutEffect(() => {
    const element = input.current
    if (element === null || tookOverValue.current) return
    // What was typed before hydration is taken over now, or when a composition that is still open has ended.
    tookOverValue.current = true
    composing.current = element.dataset['composing'] !== undefined
    if (!composing.current && element.value !== '') onChange(formatInput(element))
  }, [onChange, formatInput])

  const problemId = 'id' in props.problem ? props.problem.id : `${id}-problem`
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {props.label}
      </label>
      <div className={styles['box']}>
        <input
          ref={input}
          id={id}
          className={`${styles['input']} ${props.trailing === undefined ? '' : styles['withTrailing']}`}
          type="text"
          inputMode={props.inputMode}
          autoComplete={props.autoComplete}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          readOnly={props.isReadOnly}
          placeholder={props.placeholder}
          data-format={props.format}
          aria-invalid={props.isInvalid}
          aria-describedby={problemId}
          aria-required="true"
          onKeyDown={(event) => props.onKey?.(event.currentTarget, event.key)}
          onInput={commit}
          onCompositionStart={() => {
            composing.current = true
          }}
          onCompositionEnd={() => {
            composing.current = false
            commit()
          }}
          onBlur={() => {
            // Some input methods leave a field without ending the composition.
            composing.current = false
            commit()
            props.onBlur()
          }}
        />
        {props.trailing === undefined ? null : <span className={styles['trailing']}>{props.trailing}</span>}
      </div>
      {'id' in props.problem ? null : <FieldProblemText id={problemId} text={props.problem.text} />}
    </div>
  )
}

/** Always in the page, so that a screen reader announces a text that appears in it, and nothing moves when it does. */
export const FieldProblemText = ({ id, text }: { readonly id: string; readonly text: string | undefined }) => (
  <p id={id} className={styles['problem']} aria-live="polite">
    {text === undefined ? null : (
      <>
        <svg
          className={styles['mark']}
          viewBox="0 0 16 16"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
        >
          <circle cx="8" cy="8" r="6.5" />
          <path d="M8 4.5v4M8 11v.6" strokeLinecap="round" />
        </svg>
        <span>{text}</span>
      </>
    )}
  </p>
)
