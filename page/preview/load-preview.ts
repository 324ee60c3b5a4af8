/**
 * Preview loader: code that the card page does not ship, and the visitor's language for the watermark. Loaded before the
 * page is rendered: rendering cannot wait.
 */
import type { PageLocale } from '#contract/locale.ts'
import { loadWords } from '../words/load-words.ts'
import type { preview } from './preview-page.tsx'

let loaded: typeof preview | undefined

export const loadPreview = async (visitorLocale: PageLocale): Promise<typeof preview> => {
  const [module] = await Promise.all([import('./preview-page.tsx'), loadWords(visitorLocale)])
  loaded = module.preview
  return loaded
}

export const loadedPreview = (): typeof preview | undefined => loaded
