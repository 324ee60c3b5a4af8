import { useEffect, useRef } from 'react'
import { useSearch } from 'wouter'
import { toPageLocale } from '#contract/locale.ts'
import type { PageCheckout } from '../answers.ts'
import { useInitialData } from '../page-context.ts'
import { useLanguage } from '../words/language.tsx'

/** A checkout that came by its call sets the language once; an inlined one has set it in the document already. */
export const useCheckoutLanguage = ({ locale }: PageCheckout): void => {
  const { setLocale } = useLanguage()
  const { checkout: inlined } = useInitialData()
  const chosen = new URLSearchParams(useSearch()).has('locale')
  const isSet = useRef(inlined !== null || chosen)

  useEffect(() => {
    if (isSet.current) return
    isSet.current = true
    const wanted = toPageLocale(locale)
    if (wanted !== undefined) setLocale(wanted)
  }, [locale, setLocale])
}
