/** Text loader: one language at a time. The server preloads its file in the document's head. */
import type { PageLocale } from '#contract/locale.ts'
import type { Words } from './en-US.ts'

const dictionaries: Record<PageLocale, () => Promise<{ readonly words: Words }>> = {
  ja: () => import('./ja.ts'),
  'en-US': () => import('./en-US.ts'),
  ko: () => import('./ko.ts'),
  'zh-Hans': () => import('./zh-Hans.ts'),
  'zh-Hant': () => import('./zh-Hant.ts'),
  th: () => import('./th.ts'),
}

const loaded = new Map<PageLocale, Words>()

export const loadWords = async (locale: PageLocale): Promise<Words> => {
  const { words } = await dictionaries[locale]()
  loaded.set(locale, words)
  return words
}

/** Texts that have been loaded: rendering cannot wait for others. */
export const loadedWords = (locale: PageLocale): Words | undefined => loaded.get(locale)
