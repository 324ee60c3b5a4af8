/** Yen: limits of an amount, and how amounts read. */
import type { PageLocale } from './locale.ts'

export const YEN_MIN = 1
export const YEN_MAX = 9_999_999

export const isPayableYen = (amount: number): boolean =>
  Number.isInteger(amount) && amount >= YEN_MIN && amount <= YEN_MAX

/** 1234567 → "1,234,567". Written out because `Intl` data differ between server and browser, which breaks hydration. */
export const withThousandsSeparators = (amount: number): string => {
  let text = String(amount)
  for (let at = text.length - 3; at > (amount < 0 ? 1 : 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`
  return text
}

/** Japanese readers know that ¥ is theirs; everyone else may read it as renminbi, so the code follows. */
export const yenText = (amount: number, locale: PageLocale): string => {
  const text = `¥${withThousandsSeparators(amount)}`
  return locale === 'ja' ? text : `${text} JPY`
}

export const refundText = (amount: number, locale: PageLocale): string => `-${yenText(amount, locale)}`
