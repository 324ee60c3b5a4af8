import { useEffect, useRef } from 'react'
import { Spinner } from '../ui/spinner.tsx'
import { useLanguage } from '../words/language.tsx'
import styles from './confirming.module.css'

/** Stands in the form's place while nobody knows whether the card was charged. There is nothing to press. */
export const Confirming = () => {
  const { words } = useLanguage()
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    // The button that had the focus is gone; without this a screen reader would stay silent.
    heading.current?.focus()
  }, [])

  return (
    <div className={styles['panel']}>
      <Spinner label={words.error.loading} size="small" />
      <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
        {words.confirming.heading}
      </h2>
      <p className={styles['body']}>{words.confirming.body}</p>
    </div>
  )
}
