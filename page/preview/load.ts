import type { preview } from './preview-page.tsx'

let loaded: typeof preview | undefined

/** The preview is code that the card page has no use for. It is fetched before the page is drawn: drawing cannot wait. */
export const loadPreview = async (): Promise<typeof preview> => {
  loaded ??= (await import('./preview-page.tsx')).preview
  return loaded
}

export const loadedPreview = (): typeof preview | undefined => loaded
