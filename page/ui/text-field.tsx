import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import styles from './text-field.module.css'

export interface TextFieldProps {
  readonly label: string
  readonly example: string
  readonly autoComplete: string
  readonly inputMode: 'numeric' | 'text' | 'email'
  /** Named in the markup so that a script can find the field before this component is alive. */
  readonly format: string
  /** Brings the field into shape in place and answers what it means. Never called while an input method composes. */
  readonly settle: (input: HTMLInputElement) => string
  /** Sees a key before the browser acts on it. */
  readonly onKey?: (input: HTMLInputElement, key: string) => void
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly register: (input: HTMLInputElement | null) => void
  /** What was sent stands; it is not typed over while it is on its way. */
  readonly isReadOnly: boolean
  readonly isInvalid: boolean
  /** Where the problem is written: under this field, or by id elsewhere. */
  readonly problem: { readonly text: string | undefined } | { readonly id: string }
  readonly end?: ReactNode
}

/**
 * A labelled input whose value belongs to the browser. React never writes it, so neither a re-render nor hydration nor an
 * input method in the middle of a word can lose or double what the person has typed.
 */
export const TextField = (props: TextFieldProps) => {
  const { settle, onChange, register } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const composing = useRef(false)
  const taken = useRef(false)

  const commit = (): void => {
    if (input.current !== null && !composing.current) onChange(settle(input.current))
  }

  useLayoutEffect(() => {
    register(input.current)
    return () => register(null)
  }, [register])

  useLayoutEffect(() => {
    const element = input.current
    if (element === null || taken.current) return
    // What was typed before this component came alive is taken over now, or when the composition across it has ended.
    taken.current = true
    composing.current = element.dataset['composing'] !== undefined
    if (!composing.current && element.value !== '') onChange(settle(element))
  }, [onChange, settle])

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
          className={`${styles['input']} ${props.end === undefined ? '' : styles['withEnd']}`}
          type="text"
          inputMode={props.inputMode}
          autoComplete={props.autoComplete}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          readOnly={props.isReadOnly}
          placeholder={props.example}
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
        {props.end === undefined ? null : <span className={styles['end']}>{props.end}</span>}
      </div>
      {'id' in props.problem ? null : <FieldProblemText id={problemId} text={props.problem.text} />}
    </div>
  )
}

/** Always in the page, so that a screen reader notices when words appear in it, and nothing moves when they do. */
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
