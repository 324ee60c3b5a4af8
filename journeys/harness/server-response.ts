/** Server response: what the server answers to a request that a journey intercepts. Node does not resolve *.localhost. */
import type { APIResponse, Page, Request, Route } from '@playwright/test'

export const fetchFromServer = async (route: Route): Promise<APIResponse> => {
  const url = new URL(route.request().url())
  const headers = { ...(await route.request().allHeaders()), host: url.host }
  url.hostname = '127.0.0.1'
  return route.fetch({ url: url.href, headers })
}

interface LostAnswer {
  readonly call: Promise<Request>
  readonly answer: Promise<APIResponse>
}

/** Lets the next call of this address reach the server, and loses the answer on its way to the page. */
export const loseNextAnswer = async (page: Page, address: string): Promise<LostAnswer> => {
  const [call, answer] = [Promise.withResolvers<Request>(), Promise.withResolvers<APIResponse>()]
  await page.route(
    address,
    async (route) => {
      call.resolve(route.request())
      answer.resolve(await fetchFromServer(route))
      await route.abort()
    },
    { times: 1 },
  )
  return { call: call.promise, answer: answer.promise }
}

/** Takes the inlined checkout out of the document, so that the page has to load it by its call. */
export const removeInlinedCheckout = (page: Page): Promise<unknown> =>
  page.route(/\/(creditcard|complete|error)(\?|$)/, async (route) => {
    const response = await fetchFromServer(route)
    const body = (await response.text()).replace(/<script type="application\/json" id="inlined">.*?<\/script>/s, '')
    await route.fulfill({ response, body })
  })
