import { randomUUID } from 'node:crypto'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { cardListRoute } from '../cards/card-list-page.ts'
import { routeByHost, type Origins } from '../http/hosts.ts'
import { createTiming, openThreeDS } from '../open-three-ds.ts'
import { field, listenOnFreePort } from './acquirer.ts'

export const EVENT_URL = 'http://3ds.localhost:3000/events/abc?order=1&x="<'

export const BROWSER_INFO = {
  browserAcceptHeader: 'text/html',
  browserUserAgent: 'Mozilla/5.0',
  browserLanguage: 'ja',
  browserJavascriptEnabled: true,
  browserJavaEnabled: false,
  browserColorDepth: '24',
  browserScreenHeight: '844',
  browserScreenWidth: '390',
  browserTZ: '-540',
  browserIP: '127.0.0.1',
}

export const AUTH_FIELDS = {
  merchantId: 'merchant-1',
  authenticationInd: '01',
  messageCategory: 'pa',
  purchaseAmount: '1298000',
  purchaseCurrency: '392',
  purchaseDate: '20261115081500',
  cardExpiryDate: '3112',
  cardHolderInfo: { cardholderName: 'HANAKO YAMADA', email: 'hanako@example.com' },
  merchantName: 'Tea <&> "Co"',
}

interface PageResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface ApiResponse {
  readonly status: number
  readonly body: unknown
}

export interface HtmlForm {
  readonly action: string
  readonly target: string
  readonly fields: Map<string, string>
}

interface RequestOptions {
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

export interface StartedTransaction {
  readonly number: string
  readonly requestorTransId: string
  readonly initResponse: unknown
  readonly serverTransId: string
}

export interface ThreeDSClient {
  readonly port: number
  readonly origins: Origins
  /** Advances the sandbox's own clock; no real time passes. */
  advanceClock(durationMs: number): void
  /** Sends a request as a browser does: the host of the address goes into the Host header. */
  visit(address: string, options?: RequestOptions): Promise<PageResponse>
  submit(form: HtmlForm, changes?: Record<string, string>, headers?: Record<string, string>): Promise<PageResponse>
  post(path: string, body: unknown, options?: RequestOptions): Promise<ApiResponse>
  get(path: string): Promise<ApiResponse>
  start(number: string, change?: object): Promise<StartedTransaction>
  authenticate(started: StartedTransaction, change?: object, options?: RequestOptions): Promise<ApiResponse>
  result(started: StartedTransaction): Promise<ApiResponse>
  readMonitorEvent(started: StartedTransaction): Promise<unknown>
}

/** Simulated 3-D Secure server and bank in the process of the test, with a clock of their own. */
export const serveThreeDS = async (t: TestContext, timeScale = 1, keepsRequestLog = false): Promise<ThreeDSClient> => {
  const server = createServer()
  const port = await listenOnFreePort(t, server)
  const origins = {
    threeDS: `http://3ds-server.localhost:${port}`,
    bank: `http://bank.localhost:${port}`,
    checkouts: 'http://*.localhost:3000',
  }
  let now = 0
  const sites = openThreeDS(
    createTiming(timeScale, () => now),
    origins,
    keepsRequestLog,
  )
  const local = [cardListRoute, ...sites.api, ...sites.requestLog]
  server.on('request', routeByHost({ ...sites, local }, origins, port))

  const visit: ThreeDSClient['visit'] = async (address, { method = 'GET', body, headers = {}, signal } = {}) => {
    const { host, pathname, search } = new URL(address)
    const options = { host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers: { host, ...headers } }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = request({ ...options, ...(signal === undefined ? {} : { signal }) }, resolve)
      sending.once('error', reject)
      sending.end(body)
    })
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
  }
  const call = async (address: string, options: RequestOptions): Promise<ApiResponse> => {
    const response = await visit(address, options)
    const body: unknown = JSON.parse(response.text)
    return { status: response.status, body }
  }
  const api = `http://127.0.0.1:${port}`
  const post: ThreeDSClient['post'] = (path, body, options = {}) =>
    call(path.startsWith('/') ? `${api}${path}` : path, { ...options, method: 'POST', body: JSON.stringify(body) })
  const get: ThreeDSClient['get'] = (path) => call(path.startsWith('/') ? `${api}${path}` : path, {})
  const resultPath = '/api/v2/auth/brw/result'

  return {
    port,
    origins,
    advanceClock: (durationMs) => (now += durationMs),
    visit,
    submit: ({ action, fields }, changes = {}, headers = {}) =>
      visit(action, {
        method: 'POST',
        body: new URLSearchParams({ ...Object.fromEntries(fields), ...changes }).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      }),
    post,
    get,
    start: async (number, change = {}) => {
      const requestorTransId = randomUUID()
      const init = { acctNumber: number, merchantId: 'merchant-1', eventCallbackUrl: EVENT_URL }
      const { body } = await post('/api/v2/auth/brw/init', {
        ...init,
        threeDSRequestorTransID: requestorTransId,
        ...change,
      })
      return {
        number,
        requestorTransId,
        initResponse: body,
        serverTransId: String(field(body, 'threeDSServerTransID')),
      }
    },
    authenticate: ({ number, requestorTransId, initResponse, serverTransId }, change = {}, options = {}) =>
      post(
        String(field(initResponse, 'authUrl')),
        {
          ...AUTH_FIELDS,
          acctNumber: number,
          threeDSRequestorTransID: requestorTransId,
          threeDSServerTransID: serverTransId,
          browserInfoCollected: BROWSER_INFO,
          ...change,
        },
        options,
      ),
    result: ({ serverTransId }) => get(`${resultPath}?threeDSServerTransID=${serverTransId}`),
    readMonitorEvent: async ({ serverTransId }) =>
      field((await get(`${resultPath}/monitor?threeDSServerTransID=${serverTransId}`)).body, 'event'),
  }
}

const unescapeHtml = (escaped: string): string =>
  escaped
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const attribute = (tag: string, name: string): string =>
  unescapeHtml(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

export const formsOf = ({ text: markup }: Pick<PageResponse, 'text'>): HtmlForm[] =>
  [...markup.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, tag = '', inner = '']) => ({
    action: attribute(tag, 'action'),
    target: attribute(tag, 'target'),
    fields: new Map(
      [...inner.matchAll(/<input\b[^>]*>/g)].map(([input]) => [attribute(input, 'name'), attribute(input, 'value')]),
    ),
  }))

export const formAt = (page: Pick<PageResponse, 'text'>, index = 0): HtmlForm => {
  const form = formsOf(page)[index]
  if (form === undefined) throw new Error('the page has no such form')
  return form
}

/** Goes from the 3-D Secure server's challenge address to the bank's page, posting the CReq between them. */
export const openChallengePage = async (
  { visit, submit }: ThreeDSClient,
  authenticated: { readonly body: unknown },
  headers: Record<string, string> = {},
  extraQuery = '',
): Promise<PageResponse> => {
  const entry = await visit(`${String(field(authenticated.body, 'challengeUrl'))}${extraQuery}`)
  return submit(formAt(entry), {}, headers)
}

/** Posts the CRes of the bank's return page; gives the forms that then send the event. */
export const submitReturnForm = async ({ submit }: ThreeDSClient, returning: PageResponse): Promise<HtmlForm[]> =>
  formsOf(await submit(formAt(returning)))
