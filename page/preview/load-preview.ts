import type { preview } from './preview-page.tsx'

let loaded: typeof preview | undefined

/** Preview loader: code that the card page does not ship. Loaded before the page is rendered: rendering cannot wait. */
export const loadPreview = async (): Promise<typeof preview> => {
  loaded ??= (await import('./preview-page.tsx')).preview
  return loaded
}

export const loadedPreview = (): typeof preview | undefined => loaded
