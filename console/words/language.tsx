/** Language of the console: that of the document until somebody has signed in, then that of the person. */
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { isConsoleLocale, type ConsoleLocale } from '#contract/console/locale.ts'
import { jstDate, jstText, type Instant } from '#contract/jst.ts'
import { yenText } from '#contract/yen.ts'

/** The words of a screen, or of a part of one: each language has all of them. */
export type WordsOf<W> = Readonly<Record<ConsoleLocale, W>>

interface Language {
  readonly locale: ConsoleLocale
  setLocale(locale: ConsoleLocale): void
}

const LanguageContext = createContext<Language | null>(null)

/** React Aria knows languages with their country. */
const ARIA_LOCALES: Readonly<Record<ConsoleLocale, string>> = { ja: 'ja-JP', 'en-US': 'en-US' }

const documentLocale = (): ConsoleLocale => {
  const { lang } = document.documentElement
  return isConsoleLocale(lang) ? lang : 'en-US'
}

export const LanguageProvider = ({ children }: { readonly children: ReactNode }) => {
  const [locale, setLocale] = useState(documentLocale)

  useEffect(() => {
    document.documentElement.lang = locale
  }, [locale])

  const language = useMemo(() => ({ locale, setLocale }), [locale])
  return (
    <LanguageContext value={language}>
      <I18nProvider locale={ARIA_LOCALES[locale]}>{children}</I18nProvider>
    </LanguageContext>
  )
}

export const useLanguage = (): Language => {
  const language = useContext(LanguageContext)
  if (language === null) throw new Error('useLanguage outside LanguageProvider')
  return language
}

export const useWords = <W,>(words: WordsOf<W>): W => words[useLanguage().locale]

interface Formats {
  /** ¥1,234 */
  yen(amount: number): string
  /** Date and time in Japan. A text is an instant as the API writes it. */
  time(at: Instant | string): string
  /** The day in Japan, such as 2026-11-22. */
  day(at: Instant | string): string
}

const instantOf = (at: Instant | string): Instant => (typeof at === 'string' ? Date.parse(at) : at)

const formatsFor = (locale: ConsoleLocale): Formats => ({
  yen: (amount) => yenText(amount, locale),
  time: (at) => jstText(instantOf(at), locale),
  day: (at) => jstDate(instantOf(at)),
})

const FORMATS: WordsOf<Formats> = { ja: formatsFor('ja'), 'en-US': formatsFor('en-US') }

/** How amounts and times read in the person's language. */
export const useFormats = (): Formats => useWords(FORMATS)
