import type { FrameLocator, Page } from '@playwright/test'

/** The bank's page: it stands in a frame of the bridge, which stands in a frame of the card page. */
export const bankFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Identity check page of your card company"]').frameLocator('iframe')

export const answerChallenge = async (page: Page, code: string): Promise<void> => {
  await bankFrame(page).getByLabel('Confirmation code').fill(code)
  await bankFrame(page).getByRole('button', { name: 'Confirm' }).click()
}

/** At the time scale of the journeys a page goes on without the card company after 1.5 s: too soon for a busy machine. */
export const collectPatiently = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { setTimeout: later } = window
    const patient = (run: () => void, ms: number) => later(run, ms === 1500 ? 30_000 : ms)
    Object.assign(window, { setTimeout: patient })
  })
