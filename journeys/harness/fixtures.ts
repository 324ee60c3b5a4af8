/** Fixtures: the running program, its links, and a browser in which any error of a page fails the journey. */
import { test as base, expect } from '@playwright/test'
import { setUpConsole, type ConsolePerson } from './console.ts'
import { readFrameFacts } from './frame-facts.ts'
import { watchPageErrors } from './page-errors.ts'
import { createScreenLinks } from './screen-links.ts'
import { startKaikei, READY_TIMEOUT_MS, type Kaikei } from './program.ts'
import type { ScreenLinks } from './screen.ts'

export const test = base.extend<
  { toleratedConsoleError: RegExp | null },
  { kaikei: Kaikei; links: ScreenLinks; owner: ConsolePerson }
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
  /** The first owner of the demo, who has set up the console: each worker's program prints the link for it once. */
  owner: [
    async ({ kaikei, browser }, provide) => {
      await provide(await setUpConsole(browser, kaikei.consoleLink))
    },
    { scope: 'worker', timeout: READY_TIMEOUT_MS },
  ],
  /** An error that a page must report in one journey; in all others it is a failure. Never one of React. */
  toleratedConsoleError: [null, { option: true }],
  /** Every journey fails on any error of any of its pages. */
  context: async ({ context, toleratedConsoleError }, provide, testInfo) => {
    const errors = watchPageErrors(context, toleratedConsoleError)
    await provide(context)
    if (testInfo.status !== testInfo.expectedStatus)
      process.stderr.write(`${(await readFrameFacts(context)).join('\n')}\n`)
    expect(errors).toEqual([])
  },
})

export { expect }
