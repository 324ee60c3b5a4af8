/** Languages of the console. */
export const CONSOLE_LOCALES = ['ja', 'en-US'] as const
export type ConsoleLocale = (typeof CONSOLE_LOCALES)[number]

export const isConsoleLocale = (value: string): value is ConsoleLocale =>
  CONSOLE_LOCALES.some((locale) => locale === value)
