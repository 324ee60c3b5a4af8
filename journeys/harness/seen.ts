import type { Page } from '@playwright/test'

declare global {
  interface Window {
    tellSeen(text: string): void
  }
}

/** Remembers which of the texts ever stood on the page, however briefly, also before it was reloaded. */
export const watchFor = async (page: Page, texts: readonly string[]): Promise<(text: string) => boolean> => {
  const seen = new Set<string>()
  await page.exposeFunction('tellSeen', (text: string) => seen.add(text))
  await page.addInitScript((wanted) => {
    if (window !== window.top) return
    new MutationObserver(() => {
      const shown = document.querySelector('body')?.innerText ?? ''
      for (const text of wanted) if (shown.includes(text)) window.tellSeen(text)
    }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
  }, texts)
  return (text) => {
    if (!texts.includes(text)) throw new Error(`nobody watched for ${text}`)
    return seen.has(text)
  }
}
