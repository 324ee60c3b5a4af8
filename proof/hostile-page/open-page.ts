/** Opening a page: again while the server is too busy to draw it, because a page that is not drawn shows nothing. */
import type { Page } from '@playwright/test'
import { CommandError } from '../../tools/command-error.mjs'

const TRIES_MAX = 30
const BUSY_WAIT_MS = 1000

export const openPage = async (page: Page, address: string): Promise<void> => {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const document = await page.goto(address)
    if (document !== null && document.status() !== 503) return
    await page.waitForTimeout(BUSY_WAIT_MS)
  }
  throw new CommandError(`${address} was not drawn, however often it was opened`)
}
