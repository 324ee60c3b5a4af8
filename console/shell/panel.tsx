/** Panel: one card in the middle of the window, for screens before somebody has signed in. */
import type { ReactNode } from 'react'
import { CONSOLE_LOCALES } from '#contract/console/locale.ts'
import { useLanguage, useWords } from '../words/language.tsx'
import { sharedWords } from '../words/shared-words.ts'
import { Mark } from './mark.tsx'
import { useScreenHeading } from './screen.tsx'
import styles from './panel.module.css'

const Languages = () => {
  const { locale, setLocale } = useLanguage()
  const { languages } = useWords(sharedWords)
  return (
    <footer className={styles['languages']}>
      {CONSOLE_LOCALES.map((each) => (
        <button
          key={each}
          type="button"
          lang={each}
          className={styles['language']}
          aria-pressed={each === locale}
          onClick={() => setLocale(each)}
        >
          {languages[each]}
        </button>
      ))}
    </footer>
  )
}

export const Panel = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const heading = useScreenHeading(title)
  return (
    <div className={styles['page']}>
      <main className={styles['panel']}>
        <p className={styles['brand']}>
          <Mark className={styles['mark']} />
          Kaikei
        </p>
        <h1 ref={heading} tabIndex={-1} className={styles['title']}>
          {title}
        </h1>
        {children}
      </main>
      <Languages />
    </div>
  )
}
