/** Query of an address: limits on what is read of it, and on what a redirect repeats. */
import type { FastifyRequest } from 'fastify'
import { isPageLocale, type PageLocale } from '#contract/locale.ts'
import { holdsCardNumber, looksLikeSecurityCode } from '#payment/card-number-detector.ts'

/** A page needs `mode` and `locale`; shops add a few of their own. Looking for card numbers costs time for each of them. */
export const QUERY_MAX_LENGTH = 2048
export const PARAMETERS_MAX = 50

/** With its question mark; empty without one. */
export const searchOf = ({ url }: Pick<FastifyRequest, 'url'>): string => {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark)
}

/** Counts without splitting: a query of 30 KB can hold 15,000 parameters. */
export const hasTooManyParameters = (query: string): boolean => {
  let count = 1
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) {
    count += 1
    if (count > PARAMETERS_MAX) return true
  }
  return false
}

export const isQueryTooLong = (search: string): boolean =>
  search.length > QUERY_MAX_LENGTH || hasTooManyParameters(search)

/**
 * What a redirect repeats of a query. Nothing of one that is too long. A card number or its security code is left out: it
 * would stand in the browser's history and in a proxy's log once more.
 */
export const queryToRepeat = (search: string): string => {
  if (search === '' || isQueryTooLong(search)) return ''
  const parameters = search.slice(1).split('&')
  const anyOf = (parameter: string, holds: (word: string) => boolean): boolean =>
    [...new URLSearchParams(parameter)].flat().some(holds)
  const kept = parameters.filter((parameter) => !anyOf(parameter, holdsCardNumber))
  if (kept.length === parameters.length) return search
  // Beside a card number, three or four digits are its security code.
  const harmless = kept.filter((parameter) => !anyOf(parameter, looksLikeSecurityCode))
  return harmless.length === 0 ? '' : `?${harmless.join('&')}`
}

/** The language that a query asks for, found without parsing all of it. */
export const localeInQuery = (search: string): PageLocale | undefined => {
  const asked = /[?&]locale=([A-Za-z-]{2,10})(?:&|$)/.exec(search)?.[1]
  return asked !== undefined && isPageLocale(asked) ? asked : undefined
}
