/** Challenge: the bank's page is in a frame of the bridge, which is in a frame of the card page. */
import type { FrameLocator, Page } from '@playwright/test'

export const bankFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Identity check page of your card issuer"]').frameLocator('iframe')

/** The same, whatever the language of the page. */
export const bankFrameInAnyLanguage = (page: Page): FrameLocator =>
  page.frameLocator('section iframe').frameLocator('iframe')

export const answerChallenge = async (page: Page, code: string): Promise<void> => {
  await bankFrame(page).getByLabel('Confirmation code').fill(code)
  await bankFrame(page).getByRole('button', { name: 'Confirm' }).click()
}

/** The page's timers of this length are longer than the journey: what they would end is ended by what the journey does. */
export const outlastTimers = (page: Page, lengthMs: number): Promise<unknown> =>
  page.addInitScript((outlasted) => {
    const { setTimeout: original } = window
    const lengthened = (run: () => void, ms: number) => original(run, ms === outlasted ? 600_000 : ms)
    Object.assign(window, { setTimeout: lengthened })
  }, lengthMs)

/** At the time scale of the journeys the page goes on without the collected data after 1.5 s, which is too soon for a busy machine. */
export const lengthenCollectTimeout = (page: Page): Promise<unknown> => outlastTimers(page, 1500)
