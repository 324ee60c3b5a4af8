import type { ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps {
  readonly kind: 'primary' | 'secondary'
  readonly type: 'submit' | 'button'
  readonly disabled?: boolean
  readonly busy?: boolean
  readonly onClick?: () => void
  readonly children: ReactNode
}

/** Button: while it is busy it shows a spinner beside its text and keeps its size. */
export const Button = ({ kind, type, disabled = false, busy = false, onClick, children }: ButtonProps) => (
  <button
    type={type}
    className={`${styles[kind]} ${busy ? styles['busy'] : ''}`}
    disabled={disabled}
    aria-busy={busy}
    onClick={onClick}
  >
    {busy ? <span className={styles['spinner']} aria-hidden="true" /> : null}
    <span>{children}</span>
  </button>
)
