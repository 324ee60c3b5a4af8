import type { APIResponse, Page, Route } from '@playwright/test'

/** The page's own script is alive: only then does it ask for the prefixes. */
export const becomesLive = (page: Page) => page.waitForResponse('**/api/v1/bincodes')

/** Opens a link and waits until the page's own script is alive. */
export const openLive = async (page: Page, url: string): Promise<void> => {
  await Promise.all([becomesLive(page), page.goto(url)])
}

/** What the server would have answered to a request that a journey holds in its hand. Node does not resolve *.localhost. */
export const answerTo = async (route: Route): Promise<APIResponse> => {
  const url = new URL(route.request().url())
  const headers = { ...(await route.request().allHeaders()), host: url.host }
  url.hostname = '127.0.0.1'
  return route.fetch({ url: url.href, headers })
}
