/** Check box: yes or no, with a line below it that says what it means. */
import { useId } from 'react'
import styles from './check-box.module.css'

interface CheckBoxProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly isChecked: boolean
  readonly isDisabled: boolean
  onChange(isChecked: boolean): void
}

export const CheckBox = ({ label, hint, isChecked, isDisabled, onChange }: CheckBoxProps) => {
  const id = useId()
  return (
    <div className={styles['check']}>
      <input
        id={id}
        type="checkbox"
        className={styles['box']}
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  )
}
