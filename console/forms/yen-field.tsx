/** Yen field: an amount as people type it, full-width digits too. */
import { Input, Label, TextField } from 'react-aria-components'
import { tidyYen } from './parse-yen.ts'
import { Hint, Problem } from './text-field.tsx'
import styles from './field.module.css'

interface YenFieldProps {
  readonly label: string
  /** The text as it was typed; `parseYen` reads it. */
  readonly value: string
  onChange(value: string): void
  readonly problem?: string | undefined
  readonly hint?: string
  readonly name?: string
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
}

export const YenField = ({ label, value, onChange, problem, hint, ...field }: YenFieldProps) => (
  <TextField
    {...field}
    className={styles['field'] ?? ''}
    value={value}
    onChange={onChange}
    // Not while typing: an input method would lose what it composes.
    onBlur={() => {
      const tidy = tidyYen(value)
      if (tidy !== value) onChange(tidy)
    }}
    isInvalid={problem !== undefined}
    validationBehavior="aria"
    inputMode="numeric"
    autoComplete="off"
  >
    <Label className={styles['label'] ?? ''}>{label}</Label>
    <div className={styles['box']}>
      <span className={styles['sign']} aria-hidden="true">
        ¥
      </span>
      <Input className={`${styles['input']} ${styles['yen']}`} />
    </div>
    <Hint text={hint} />
    <Problem text={problem} />
  </TextField>
)
