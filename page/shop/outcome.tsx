import type { ReactNode } from 'react'
import { useArrivalFocus } from '../ui/use-arrival-focus.ts'
import styles from './outcome.module.css'

const MARKS = {
  done: 'M8 12.5l2.8 2.8L16 9.5',
  stopped: 'M12 7.5v5.5M12 16v.5',
} as const

interface OutcomeProps {
  readonly mark: keyof typeof MARKS
  readonly title: string
  readonly message: string
  readonly children?: ReactNode
}

/** How something ended: a mark, a title, a sentence. */
export const Outcome = ({ mark, title, message, children }: OutcomeProps) => {
  const heading = useArrivalFocus()
  return (
    <div className={styles['told']}>
      <svg
        className={`${styles['mark']} ${styles[mark]}`}
        viewBox="0 0 24 24"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <circle cx="12" cy="12" r="10.5" fill="currentColor" fillOpacity="0.08" />
        <path d={MARKS[mark]} />
      </svg>
      <h1 ref={heading} tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
      <p className={styles['message']}>{message}</p>
      {children}
    </div>
  )
}
