/** Short yen: an amount beside a plot, in the units of its language. */
import type { ConsoleLocale } from '#contract/console/locale.ts'
import { withThousandsSeparators } from '#contract/yen.ts'

const UNITS: Readonly<Record<ConsoleLocale, readonly (readonly [size: number, name: string])[]>> = {
  ja: [
    [100_000_000, '億'],
    [10_000, '万'],
  ],
  'en-US': [
    [1_000_000, 'M'],
    [1000, 'k'],
  ],
}

/** One digit behind the point at most: ticks of a plot are round. */
export const shortYen = (amount: number, locale: ConsoleLocale): string => {
  const [size, name] = UNITS[locale].find(([least]) => amount >= least) ?? [1, '']
  return `¥${withThousandsSeparators(Math.round((amount / size) * 10) / 10)}${name}`
}
