/** Page language: the locale, its texts, and how to change it. */
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { PageLocale } from '#contract/locale.ts'
import type { Words } from './en-US.ts'
import { replaceAddress } from '../location.ts'
import { loadWords } from './load-words.ts'

interface Language {
  readonly locale: PageLocale
  readonly words: Words
  /** Changes the language; when its texts cannot be loaded, the current language stays. */
  setLocale(locale: PageLocale): void
  /** The shopper's own choice: also written into the URL, so that a reload or a shared link keeps it. */
  chooseLocale(locale: PageLocale): void
}

const LanguageContext = createContext<Language | null>(null)

export const useLanguage = (): Language => {
  const language = useContext(LanguageContext)
  if (language === null) throw new Error('useLanguage outside LanguageProvider')
  return language
}

interface LanguageProviderProps {
  readonly initial: { readonly locale: PageLocale; readonly words: Words }
  readonly children: ReactNode
}

const writeLocaleToUrl = (locale: PageLocale): void => {
  const url = new URL(window.location.href)
  url.searchParams.set('locale', locale)
  replaceAddress(url, window.history.state)
}

export const LanguageProvider = ({ initial, children }: LanguageProviderProps) => {
  const [current, setCurrent] = useState(initial)

  useEffect(() => {
    document.documentElement.lang = current.locale
  }, [current.locale])

  const language = useMemo<Language>(() => {
    const setLocale = (locale: PageLocale): void => {
      loadWords(locale).then(
        (words) => setCurrent({ locale, words }),
        () => undefined,
      )
    }
    return {
      ...current,
      setLocale,
      chooseLocale: (locale) => {
        writeLocaleToUrl(locale)
        setLocale(locale)
      },
    }
  }, [current])
  return <LanguageContext value={language}>{children}</LanguageContext>
}
