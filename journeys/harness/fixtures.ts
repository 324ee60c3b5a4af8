import { test as base, expect, type Page } from '@playwright/test'
import { createScreenLinks } from './screen-links.ts'
import { startKaikei, READY_TIMEOUT_MS, type Kaikei } from './program.ts'
import type { ScreenLinks } from './screen.ts'

/** Fixtures: the running program, its links, and a page on which any console error fails the journey. */

/** A refused call is a part of some journeys; the browser reports it as an error on its console. */
const EXPECTED_CONSOLE_ERROR = /^Failed to load resource/

export const test = base.extend<
  { page: Page; toleratedConsoleError: RegExp | null },
  { kaikei: Kaikei; links: ScreenLinks }
>({
  kaikei: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const { kaikei, stop } = await startKaikei()
      await provide(kaikei)
      await stop()
    },
    { scope: 'worker', timeout: READY_TIMEOUT_MS },
  ],
  /** Journeys over screens share one set of checkouts for each worker: a second `test` object would start the program again. */
  links: [
    async ({ kaikei, browser }, provide) => {
      const page = await browser.newPage()
      const links = await createScreenLinks(kaikei, page)
      await page.context().close()
      await provide(links)
    },
    { scope: 'worker', timeout: READY_TIMEOUT_MS },
  ],
  /** An error that the browser must report in one journey; in all others it is a failure. */
  toleratedConsoleError: [null, { option: true }],
  /** Every journey fails on any error of the page: an exception, a hydration mismatch, a policy violation. */
  page: async ({ page, toleratedConsoleError }, provide) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => {
      if (message.type() !== 'error' || EXPECTED_CONSOLE_ERROR.test(message.text())) return
      if (toleratedConsoleError?.test(message.text()) !== true) errors.push(message.text())
    })
    await provide(page)
    expect(errors).toEqual([])
  },
})

export { expect }
