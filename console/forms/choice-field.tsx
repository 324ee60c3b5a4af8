/** Choice field: one of two or three, all of them seen beside each other. */
import { useId } from 'react'
import type { Choice } from './select-field.tsx'
import styles from './choice-field.module.css'

interface ChoiceFieldProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly choices: readonly Choice<T>[]
  onChange(value: T): void
}

export const ChoiceField = <T extends string>({ label, value, choices, onChange }: ChoiceFieldProps<T>) => {
  const name = useId()
  return (
    <fieldset className={styles['choices']}>
      <legend className={styles['legend']}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={styles['choice']}>
          <input
            type="radio"
            className={styles['radio']}
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span className={styles['words']}>
            {choice.label}
            {choice.detail === undefined ? null : <span className={styles['detail']}>{choice.detail}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
