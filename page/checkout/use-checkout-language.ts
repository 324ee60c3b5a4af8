/** Checkout language: a fetched checkout sets the language once; an inlined one has set it in the document already. */
import { useEffect, useRef } from 'react'
import { toPageLocale } from '#contract/locale.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { useSearch } from '../location.ts'
import { useInitialData } from '../page-context.ts'
import { useLanguage } from '../words/language-provider.tsx'

export const useCheckoutLanguage = ({ locale }: PageCheckout): void => {
  const { setLocale } = useLanguage()
  const { checkout: inlined } = useInitialData()
  const isInQuery = new URLSearchParams(useSearch()).has('locale')
  const isSet = useRef(inlined !== null || isInQuery)

  useEffect(() => {
    if (isSet.current) return
    isSet.current = true
    const wanted = toPageLocale(locale)
    if (wanted !== undefined) setLocale(wanted)
  }, [locale, setLocale])
}
