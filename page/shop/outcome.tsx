/** Outcome block: icon, title and message of a finished checkout or an error. */
import type { ReactNode } from 'react'
import { useFocusHeading } from '../ui/use-focus-heading.ts'
import styles from './outcome.module.css'

const ICONS = {
  success: 'M8 12.5l2.8 2.8L16 9.5',
  error: 'M12 7.5v5.5M12 16v.5',
  cancelled: 'M8.5 12h7',
  expired: 'M12 7.5V12l3 2',
  missing: 'M9.5 10a2.5 2.5 0 1 1 2.5 2.5V14M12 16v.5',
  unavailable: 'M12 7.5v5.5M12 16v.5',
} as const

export type OutcomeIcon = keyof typeof ICONS

interface OutcomeProps {
  readonly icon: OutcomeIcon
  readonly title: string
  readonly message: string
  readonly children?: ReactNode
}

export const Outcome = ({ icon, title, message, children }: OutcomeProps) => {
  const heading = useFocusHeading()
  return (
    <div className={styles['outcome']}>
      <svg
        className={`${styles['icon']} ${styles[icon]}`}
        viewBox="0 0 24 24"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <circle cx="12" cy="12" r="10.5" fill="currentColor" fillOpacity="0.08" />
        <path d={ICONS[icon]} />
      </svg>
      <h1 ref={heading} tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
      <p className={styles['message']}>{message}</p>
      {children}
    </div>
  )
}
