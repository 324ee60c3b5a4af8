/** Button: while it is busy it shows a spinner beside its text and keeps its size. */
import type { ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonProps {
  readonly kind: 'primary' | 'secondary'
  readonly type: 'submit' | 'button'
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
    className={`${styles[kind]} ${busy ? styles['busy'] : ''}`}
    disabled={disabled}
    aria-busy={busy}
    aria-describedby={describedBy}
    onClick={onClick}
  >
    {busy ? <span className={styles['spinner']} aria-hidden="true" /> : null}
    <span>{children}</span>
  </button>
)

interface ButtonLinkProps {
  readonly href: string
  /** Without `href`, so that neither a click nor the keyboard can follow it. */
  readonly isDisabled: boolean
  readonly children: ReactNode
}

/** A link that looks like the primary button. */
export const ButtonLink = ({ href, isDisabled, children }: ButtonLinkProps) => (
  <a
    className={`${styles['primary']} ${styles['link']}`}
    {...(isDisabled ? { role: 'link', 'aria-disabled': true } : { href })}
  >
    <span>{children}</span>
  </a>
)
