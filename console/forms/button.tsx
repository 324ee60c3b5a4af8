/** Button of the console: while it is busy it takes no click and keeps the focus, which a disabled button loses. */
import type { ReactNode } from 'react'
import uiStyles from '#ui/button.module.css'
import styles from './button.module.css'

interface ButtonProps {
  readonly kind: 'primary' | 'secondary'
  readonly type: 'submit' | 'button'
  /** Counts while it is not busy. */
  readonly disabled?: boolean
  readonly busy?: boolean
  /** The id of the text that says why it is disabled. */
  readonly describedBy?: string
  readonly onClick?: () => void
  readonly children: ReactNode
}

export const Button = ({ kind, type, disabled = false, busy = false, describedBy, onClick, children }: ButtonProps) => (
  <button
    type={type}
    className={`${uiStyles[kind]} ${busy ? `${styles['busy']} ${styles[kind]}` : ''}`}
    disabled={disabled && !busy}
    aria-disabled={busy ? true : undefined}
    aria-busy={busy}
    aria-describedby={describedBy}
    onClick={(event) => {
      // Of a button that sends, the form would be sent; Enter in a field is a click too.
      if (busy) event.preventDefault()
      else onClick?.()
    }}
  >
    {busy ? <span className={uiStyles['spinner']} aria-hidden="true" /> : null}
    <span>{children}</span>
  </button>
)
