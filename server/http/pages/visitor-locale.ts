/** Visitor's locale: the language of a visitor's browser, whatever the address asks for. */
import type { FastifyRequest } from 'fastify'
import { DEFAULT_PAGE_LOCALE, firstLanguage, matchLanguage, type PageLocale } from '#contract/locale.ts'

export const visitorLocaleOf = ({ headers }: Pick<FastifyRequest, 'headers'>): PageLocale => {
  const language = firstLanguage(headers['accept-language'])
  return language === undefined ? DEFAULT_PAGE_LOCALE : matchLanguage(language)
}
