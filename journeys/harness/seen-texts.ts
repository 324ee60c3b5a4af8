/** Seen texts: records which of them was ever on the page, however briefly, also before a reload. */
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    reportSeenText(text: string): void
  }
}

export const watchForTexts = async (page: Page, texts: readonly string[]): Promise<(text: string) => boolean> => {
  const seen = new Set<string>()
  await page.exposeFunction('reportSeenText', (text: string) => seen.add(text))
  await page.addInitScript((wanted) => {
    if (window !== window.top) return
    new MutationObserver(() => {
      const shown = (document.querySelector('body')?.innerText ?? '').replaceAll(/[\u200b\u2060]/g, '')
      for (const text of wanted) if (shown.includes(text)) window.reportSeenText(text)
    }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
  }, texts)
  return (text) => {
    if (!texts.includes(text)) throw new Error(`${text} was not watched for`)
    return seen.has(text)
  }
}
