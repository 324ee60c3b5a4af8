/** Takes a screenshot: of a window as high as its page, and only of one that is drawn. */
import type { Page } from '@playwright/test'

/** The page gets its new size with a delay; a screenshot taken before that is put together from two sizes. */
const resize = async (page: Page, width: number, height: number): Promise<void> => {
  await page.setViewportSize({ width, height })
  await page.evaluate(
    async (size) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let frames = 0; frames < 100; frames += 1) {
        if (window.innerWidth === size.width && window.innerHeight === size.height) break
        await frame()
      }
      await frame()
      await frame()
    },
    { width, height },
  )
}

/** Makes the window as high as the page, so that a screenshot need not be put together from parts. */
export const fitHeight = async (page: Page, width: number): Promise<void> => {
  await resize(page, width, width < 720 ? 844 : 900)
  const height = await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.allSettled([...document.images].map((image) => image.decode()))
    return document.documentElement.scrollHeight
  })
  await resize(page, width, height)
}

/** On a busy machine one screenshot in thirty shows the top of the page twice, but never two in a row: it is taken until two agree. */
export const takeStableScreenshot = async (page: Page): Promise<Buffer> => {
  let last = await page.screenshot({ animations: 'disabled' })
  for (let tries = 0; tries < 6; tries += 1) {
    const next = await page.screenshot({ animations: 'disabled' })
    if (next.equals(last)) break
    last = next
  }
  return last
}
