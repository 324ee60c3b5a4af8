/** Confirming panel: replaces the form while a payment is in doubt. It has no button, so that nobody pays twice. */
import { useEffect, useRef } from 'react'
import { useInitialData } from '../page-context.ts'
import { Spinner } from '#ui/spinner.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import styles from './confirming-panel.module.css'

export const ConfirmingPanel = () => {
  const { words } = useLanguage()
  const { sendsMail } = useInitialData()
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    // The button that had the focus is gone; without this a screen reader would announce nothing.
    heading.current?.focus()
  }, [])

  return (
    <div className={styles['panel']}>
      <Spinner label={words.error.loading} size="small" />
      <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
        {words.confirming.heading}
      </h2>
      <p className={styles['body']}>{words.confirming.body}</p>
      <p className={styles['body']}>{sendsMail ? words.confirming.willEmail : words.confirming.openAgain}</p>
    </div>
  )
}
