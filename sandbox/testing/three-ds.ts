import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { TestContext } from 'node:test'
import { text } from 'node:stream/consumers'
import { field } from './acquirer.ts'
import { cardListRoute } from '../cards/card-list-page.ts'
import { createSites, type Origins } from '../http/hosts.ts'
import { openThreeDS, timingAt } from '../open-three-ds.ts'

export const eventUrl = 'http://3ds.localhost:3000/events/abc?order=1&x="<'

export const browserInfoCollected = {
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

export const authFields = {
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

type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

export type Form = { action: string; target: string; fields: Map<string, string> }

type Sent = { method?: 'GET' | 'POST'; body?: string; headers?: Record<string, string>; signal?: AbortSignal }

export type Started = { number: string; requestorTransId: string; answer: unknown; serverTransId: string }

export type ThreeDSClient = {
  port: number
  origins: Origins
  /** Lets time pass for the sandbox, and for nobody else. */
  pass: (durationMs: number) => void
  /** As a browser does: by the host in the address, wherever that really is. */
  visit: (address: string, sent?: Sent) => Promise<Answer>
  submit: (form: Form, changes?: Record<string, string>, headers?: Record<string, string>) => Promise<Answer>
  post: (path: string, body: unknown, sent?: Sent) => Promise<{ status: number; body: unknown }>
  get: (path: string) => Promise<{ status: number; body: unknown }>
  start: (number: string, change?: object) => Promise<Started>
  authenticate: (started: Started, change?: object, sent?: Sent) => Promise<{ status: number; body: unknown }>
  result: (started: Started) => Promise<{ status: number; body: unknown }>
  ready: (started: Started) => Promise<unknown>
}

/** The 3-D Secure server and the bank in this process, with a clock of their own. */
export const serveThreeDS = async (t: TestContext, timeScale = 1): Promise<ThreeDSClient> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const port = Number(field(server.address(), 'port'))
  const origins = {
    threeDS: `http://3ds-server.localhost:${port}`,
    bank: `http://bank.localhost:${port}`,
    checkouts: 'http://*.localhost:3000',
  }
  let time = 0
  const sites = openThreeDS(
    timingAt(timeScale, () => time),
    origins,
  )
  server.on('request', createSites({ ...sites, api: [cardListRoute, ...sites.api] }, origins))

  const visit: ThreeDSClient['visit'] = async (address, { method = 'GET', body, headers = {}, signal } = {}) => {
    const { host, pathname, search } = new URL(address)
    const options = { host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers: { host, ...headers } }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({ ...options, ...(signal ? { signal } : {}) }, resolve)
      asked.once('error', reject)
      asked.end(body)
    })
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
  }
  const call = async (address: string, sent: Sent): Promise<{ status: number; body: unknown }> => {
    const answer = await visit(address, sent)
    const body: unknown = JSON.parse(answer.text)
    return { status: answer.status, body }
  }
  const api = `http://127.0.0.1:${port}`
  const post: ThreeDSClient['post'] = (path, body, sent = {}) =>
    call(path.startsWith('/') ? `${api}${path}` : path, { ...sent, method: 'POST', body: JSON.stringify(body) })
  const get: ThreeDSClient['get'] = (path) => call(path.startsWith('/') ? `${api}${path}` : path, {})
  const resultPath = '/api/v2/auth/brw/result'

  return {
    port,
    origins,
    pass: (durationMs) => (time += durationMs),
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
      const init = { acctNumber: number, merchantId: 'merchant-1', eventCallbackUrl: eventUrl }
      const { body } = await post('/api/v2/auth/brw/init', {
        ...init,
        threeDSRequestorTransID: requestorTransId,
        ...change,
      })
      return { number, requestorTransId, answer: body, serverTransId: String(field(body, 'threeDSServerTransID')) }
    },
    authenticate: ({ number, requestorTransId, answer, serverTransId }, change = {}, sent = {}) =>
      post(
        String(field(answer, 'authUrl')),
        {
          ...authFields,
          acctNumber: number,
          threeDSRequestorTransID: requestorTransId,
          threeDSServerTransID: serverTransId,
          browserInfoCollected,
          ...change,
        },
        sent,
      ),
    result: ({ serverTransId }) => get(`${resultPath}?threeDSServerTransID=${serverTransId}`),
    ready: async ({ serverTransId }) =>
      field((await get(`${resultPath}/monitor?threeDSServerTransID=${serverTransId}`)).body, 'event'),
  }
}

const plain = (escaped: string): string =>
  escaped
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const attribute = (tag: string, name: string): string => plain(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

export const formsOf = ({ text: markup }: Pick<Answer, 'text'>): Form[] =>
  [...markup.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, tag = '', inner = '']) => ({
    action: attribute(tag, 'action'),
    target: attribute(tag, 'target'),
    fields: new Map(
      [...inner.matchAll(/<input\b[^>]*>/g)].map(([input]) => [attribute(input, 'name'), attribute(input, 'value')]),
    ),
  }))

export const theForm = (page: Pick<Answer, 'text'>, place = 0): Form => {
  const form = formsOf(page)[place]
  if (!form) throw new Error('the page has no such form')
  return form
}

/** From the 3-D Secure server's entry to the bank's page, with the CReq between them. */
export const openChallenge = async (
  { visit, submit }: ThreeDSClient,
  authenticated: { body: unknown },
  headers: Record<string, string> = {},
  more = '',
): Promise<Answer> => {
  const entry = await visit(`${String(field(authenticated.body, 'challengeUrl'))}${more}`)
  return submit(theForm(entry), {}, headers)
}

/** Presses a button on the bank's page; what it leads to, up to the event's own form. */
export const announcedBy = async ({ submit }: ThreeDSClient, leaving: Answer): Promise<Form[]> =>
  formsOf(await submit(theForm(leaving)))
