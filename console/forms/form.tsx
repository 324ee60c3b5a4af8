/** Form: fields below each other, what was refused, and its buttons. Enter sends it. */
import type { ReactNode } from 'react'
import type { CallFailure } from '../session/api.ts'
import { FailureNotice } from './notice.tsx'
import styles from './form.module.css'

interface FormProps {
  onSubmit(): void
  readonly failure?: CallFailure | null
  /** The buttons, the first one being the one that sends. */
  readonly actions: ReactNode
  readonly children: ReactNode
}

export const Form = ({ onSubmit, failure = null, actions, children }: FormProps) => (
  <form
    className={styles['form']}
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
    <FailureNotice failure={failure} />
    <div className={styles['actions']}>{actions}</div>
  </form>
)
