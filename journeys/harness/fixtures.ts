import { test as base, expect, type Page } from '@playwright/test'
import { prepareLinks } from './links.ts'
import { openKaikei, READY_TIMEOUT_MS, type Kaikei } from './program.ts'
import type { Links } from './screen.ts'

/** A refused call is a part of some journeys; the browser reports it as an error on its console. */
const EXPECTED_ON_CONSOLE = /^Failed to load resource/

export const test = base.extend<{ page: Page; tolerated: RegExp | null }, { kaikei: Kaikei; links: Links }>({
  kaikei: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const { kaikei, stop } = await openKaikei()
      await provide(kaikei)
      await stop()
    },
    { scope: 'worker', timeout: READY_TIMEOUT_MS },
  ],
  /** Journeys over screens share one set of checkouts a worker. A second kind of test would start the program anew for it. */
  links: [
    async ({ kaikei, browser }, provide) => {
      const page = await browser.newPage()
      const links = await prepareLinks(kaikei, page)
      await page.context().close()
      await provide(links)
    },
    { scope: 'worker', timeout: READY_TIMEOUT_MS },
  ],
  /** What one journey cannot help hearing from the browser; the others hear it as a fault. */
  tolerated: [null, { option: true }],
  /** Every journey fails on anything the page complains about: an exception, a hydration mismatch, a policy violation. */
  page: async ({ page, tolerated }, provide) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() !== 'error' || EXPECTED_ON_CONSOLE.test(message.text())) return
      if (tolerated?.test(message.text()) !== true) complaints.push(message.text())
    })
    await provide(page)
    expect(complaints).toEqual([])
  },
})

export { expect }
