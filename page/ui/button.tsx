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

/** Keeps its size while it is busy: the ring stands beside the words of the step. */
export const Button = ({ kind, type, disabled = false, busy = false, onClick, children }: ButtonProps) => (
  <button
    type={type}
    className={`${styles[kind]} ${busy ? styles['busy'] : ''}`}
    disabled={disabled}
    aria-busy={busy}
    onClick={onClick}
  >
    {busy ? <span className={styles['ring']} aria-hidden="true" /> : null}
    <span>{children}</span>
  </button>
)
