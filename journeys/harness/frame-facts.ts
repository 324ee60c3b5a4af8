/** Frame facts: what a browser shows when a journey fails, frame by frame; a frame of another origin is in no page snapshot. */
import type { BrowserContext, Frame } from '@playwright/test'

const FACTS_TIMEOUT_MS = 2000

const factsOf = (frame: Frame): Promise<string> =>
  frame.evaluate(() => {
    const boxes = [...document.querySelectorAll('iframe, input')].map((element) => {
      const { width, height } = element.getBoundingClientRect()
      return `${element.tagName} ${element.id} ${width}×${height}${element.checkVisibility() ? '' : ' not visible'}`
    })
    const { readyState, visibilityState } = document
    return [readyState, visibilityState, `${innerWidth}×${innerHeight}`, ...boxes].join(', ')
  })

const unanswered = (): Promise<string> =>
  new Promise((resolve) => {
    setTimeout(resolve, FACTS_TIMEOUT_MS, 'no answer')
  })

/** One line for each frame of each page. No text of the page: it may hold a card number. */
export const readFrameFacts = (context: BrowserContext): Promise<string[]> =>
  Promise.all(
    context
      .pages()
      .flatMap((page) => page.frames())
      .map(async (frame) => {
        const facts = await Promise.race([factsOf(frame), unanswered()]).catch((error: unknown) => String(error))
        // One that was not navigated yet has no address.
        return `${URL.parse(frame.url())?.origin ?? 'no address'}: ${facts}`
      }),
  )
