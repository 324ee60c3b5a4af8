/** Option values: the texts of a developer's command as the merchant API wants them. No value is quoted: it may be a card number. */
import { CARD_BRANDS, isCardBrand, type CardBrand } from '#contract/brands.ts'
import type { TaxAmount } from '#contract/invoice.ts'
import { isPageLocale, isWireLocale, PAGE_LOCALES, toWireLocale, type WireLocale } from '#contract/locale.ts'
import { TAX_RATES } from '#contract/tax-rates.ts'
import { isPayableYen, withThousandsSeparators, YEN_MAX, YEN_MIN } from '#contract/yen.ts'
import { isId } from '../../ids.ts'
import { PROGRAM, type CommandProblem } from '../command.ts'

const partsOf = (text: string): string[] => text.split(',').map((part) => part.trim())

/** The id of a checkout, alone or at the end of its link. */
export const readCheckoutId = (text: string): { readonly checkoutId: string } | CommandProblem => {
  const path = URL.canParse(text) ? new URL(text).pathname : `/${text}`
  const checkoutId = path.split('/')[1] ?? ''
  return isId(checkoutId)
    ? { checkoutId }
    : {
        problem: `This is no id of a checkout, which has 32 of a to z and 2 to 7, and no link of one: ${PROGRAM} checkout list shows the ids.`,
      }
}

export const readAmount = (text: string): { readonly amount: number } | CommandProblem =>
  /^\d{1,7}$/.test(text) && isPayableYen(Number(text))
    ? { amount: Number(text) }
    : {
        problem: `--amount must be whole yen from ${YEN_MIN} to ${withThousandsSeparators(YEN_MAX)}, in digits alone, such as 1980.`,
      }

/** `8:980,10:1000` */
export const readTaxes = (text: string): { readonly taxes: TaxAmount[] } | CommandProblem => {
  const taxes = partsOf(text).flatMap((part): TaxAmount[] => {
    const [, percent = '', amount = ''] = /^(\d{1,2}):(\d{1,7})$/.exec(part) ?? []
    const rate = TAX_RATES.find((each) => String(each) === percent)
    return rate === undefined ? [] : [{ rate, amount: Number(amount) }]
  })
  return taxes.length === partsOf(text).length
    ? { taxes }
    : { problem: `--taxes must be rate:yen with rates of ${TAX_RATES.join(', ')}, such as 8:980,10:1000.` }
}

export const readBrands = (text: string): { readonly acceptedCardBrands: CardBrand[] } | CommandProblem => {
  const brands = partsOf(text)
  return brands.every(isCardBrand)
    ? { acceptedCardBrands: brands.filter(isCardBrand) }
    : { problem: `--brands must be some of ${CARD_BRANDS.join(',')}, separated by commas.` }
}

/** The language of the page, as its address or as the API writes it. */
export const readLocale = (text: string): { readonly locale: WireLocale } | CommandProblem => {
  if (isWireLocale(text)) return { locale: text }
  return isPageLocale(text)
    ? { locale: toWireLocale(text) }
    : { problem: `--locale must be one of ${PAGE_LOCALES.join(', ')}.` }
}

/** Each `name=value`; a value may hold an equals sign. */
export const readMetadata = (
  texts: readonly string[],
): { readonly metadata: Record<string, string> } | CommandProblem => {
  const pairs = texts.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const)
  if (texts.some((text) => text.indexOf('=') < 1))
    return { problem: '--metadata must be name=value, such as cart=42; repeat it for more.' }
  if (new Set(pairs.map(([name]) => name)).size < pairs.length)
    return { problem: '--metadata has a name twice: leave one out.' }
  return { metadata: Object.fromEntries(pairs) }
}
