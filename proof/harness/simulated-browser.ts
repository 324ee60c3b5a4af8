/** Simulated browser: loads frames and submits forms as the scripts on the pages would, without running any script. */
import http from 'node:http'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { formsIn, frameIn, messageIn, type HtmlForm } from '../../server/commands/sandbox/html-forms.ts'

export interface LoadedPage {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly html: string
}

/** What the sandbox's own collect page would have found out about the browser. */
export const BROWSER_INFO = Buffer.from(
  JSON.stringify({
    browserAcceptHeader: 'text/html',
    browserUserAgent: 'Phone/1',
    browserIP: '127.0.0.1',
    browserLanguage: 'ja',
    browserJavascriptEnabled: true,
    browserJavaEnabled: false,
    browserColorDepth: '24',
    browserScreenHeight: '844',
    browserScreenWidth: '390',
    browserTZ: '-540',
  }),
).toString('base64url')

/** What the bridge's script would report of the screen, with a language tag longer than an issuer may be sent. */
export const SCREEN = {
  language: 'zh-Hant-TW',
  javaEnabled: false,
  colorDepth: 30,
  height: 844,
  width: 390,
  timeZoneOffset: -540,
}

const formsOf = ({ html }: LoadedPage): HtmlForm[] => formsIn(html)

const formOf = (page: LoadedPage, id?: string): HtmlForm => {
  const form = formsOf(page).find((each) => id === undefined || each.id === id)
  if (form === undefined) throw new Error(`no such form on the page: ${page.status} ${page.html.slice(0, 200)}`)
  return form
}

const frameUrlOf = (page: LoadedPage): string => {
  const src = frameIn(page.html)
  if (src === null) throw new Error(`no frame on the page: ${page.status} ${page.html.slice(0, 200)}`)
  return src
}

export interface SimulatedBrowser {
  readonly visit: (address: string, form?: Record<string, string>) => Promise<LoadedPage>
  /** Runs the two hidden frames to their end. Each message to the card page is passed on when it comes. */
  readonly runCollectFrames: (
    frames: { collectUrl: string; monitoringUrl: string },
    onMessage: (message: string) => void,
  ) => Promise<void>
  /** Loads the bank's page in the challenge frame. */
  readonly openChallenge: (challengeUrl: string) => Promise<LoadedPage>
  /** Presses a button there. Returns the bank's next page, and the messages to the card page when the challenge is over. */
  readonly pressButton: (
    page: LoadedPage,
    button: 'confirm' | 'cancel',
    code?: string,
  ) => Promise<{ readonly page: LoadedPage; readonly messages: string[] }>
}

/** How the server under test is reached: its hosts are known by their suffix. */
interface ServerAccess {
  readonly hostSuffix: string
  readonly send: (request: {
    readonly method: 'GET' | 'POST'
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly payload?: string
  }) => Promise<{ readonly statusCode: number; readonly body: string }>
}

/** The sandbox's silent host hangs up in the end, where the card page would have given up before. */
const isHungUp = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && reason.code === 'ECONNRESET'

/**
 * The timers of the pages in `frames` frames: when every frame waits or is over, the earliest is due. By a real clock, a bank's
 * method of no length would on a busy machine end after the second that is its timeout, and be reported twice.
 */
const createPageTimers = (frames: number) => {
  const timers: { readonly at: number; readonly run: () => void }[] = []
  let [now, running] = [0, frames]
  const stopRunning = (): void => {
    running -= 1
    if (running > 0) return
    const next = timers.toSorted((one, other) => one.at - other.at).at(0)
    if (next === undefined) return
    timers.splice(timers.indexOf(next), 1)
    running += 1
    now = next.at
    next.run()
  }
  const wait = (ms: number): Promise<void> =>
    new Promise((run) => {
      timers.push({ at: now + ms, run })
      stopRunning()
    })
  return { wait, frameIsOver: stopRunning }
}

/** A simulated browser for a server without a socket. */
export const createBrowserForApp = (app: FastifyInstance): SimulatedBrowser =>
  createSimulatedBrowser({ hostSuffix: '.localhost:3000', send: (request) => app.inject(request) })

export const createSimulatedBrowser = ({ hostSuffix, send }: ServerAccess): SimulatedBrowser => {
  const visit: SimulatedBrowser['visit'] = async (address, form) => {
    const { host, port, pathname, search } = new URL(address)
    const method = form === undefined ? 'GET' : 'POST'
    const payload = form === undefined ? '' : String(new URLSearchParams(form))
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { host, accept: 'text/html', 'user-agent': 'Phone/1', ...(form === undefined ? {} : type) }
    const path = `${pathname}${search}`
    if (host.endsWith(hostSuffix)) {
      const answer = await send({ method, url: path, headers, ...(form === undefined ? {} : { payload }) })
      return { status: answer.statusCode, headers: {}, html: answer.body }
    }
    // Node resolves no *.localhost; the sandbox tells its hosts apart by this header.
    const options = { host: '127.0.0.1', port, path, method, headers }
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    http.request(options, resolve).once('error', reject).end(payload)
    const response = await promise
    return { status: response.statusCode ?? 0, headers: response.headers, html: await text(response) }
  }

  const submit = async (form: HtmlForm, changes: Record<string, string> = {}): Promise<LoadedPage> =>
    visit(form.action, { ...form.fields, ...changes })

  type Wait = ReturnType<typeof createPageTimers>['wait']
  type RunFrame = (url: string, onEventPage: (page: LoadedPage) => void, wait: Wait) => Promise<void>

  const runCollectFrame: RunFrame = async (url, onEventPage, wait) => {
    const bridge = await visit(url)
    const { host, pathname } = new URL(url)
    const headers = { host, 'content-type': 'application/json' }
    await send({ method: 'POST', url: `${pathname}/browser`, headers, payload: JSON.stringify(SCREEN) })
    const inner = await visit(frameUrlOf(bridge))
    const forms = new Map(formsOf(inner).map((form) => [form.id, form]))
    const [trouble, method] = [forms.get('trouble-form'), forms.get('method-form')]
    if (trouble !== undefined) onEventPage(await submit(trouble))
    if (method !== undefined) {
      const back = formOf(await submit(method))
      if (back.waitMs === null) return
      await wait(back.waitMs)
      await submit(back)
    }
    onEventPage(await submit(formOf(inner, 'event-form'), { param: BROWSER_INFO }))
  }

  const runMonitoringFrame: RunFrame = async (url, onEventPage, wait) => {
    const monitoring = formOf(await visit(frameUrlOf(await visit(url))))
    await wait(monitoring.waitMs ?? 0)
    const [event] = formsOf(await submit(monitoring))
    if (event !== undefined) onEventPage(await submit(event))
  }

  return {
    visit,
    runCollectFrames: async ({ collectUrl, monitoringUrl }, onMessage) => {
      const { wait, frameIsOver } = createPageTimers(2)
      const passOn = (page: LoadedPage): void => {
        const message = messageIn(page.html)
        if (message !== null) onMessage(message)
      }
      const frames = [
        runCollectFrame(collectUrl, passOn, wait).finally(frameIsOver),
        runMonitoringFrame(monitoringUrl, passOn, wait).finally(frameIsOver),
      ]
      for (const outcome of await Promise.allSettled(frames)) {
        if (outcome.status === 'rejected' && !isHungUp(outcome.reason)) throw outcome.reason
      }
    },
    openChallenge: async (challengeUrl) => submit(formOf(await visit(frameUrlOf(await visit(challengeUrl))))),
    pressButton: async (page, action, code = '') => {
      const next = await submit(formOf(page), { action, code })
      if (formOf(next).action.endsWith('/challenge/answer')) return { page: next, messages: [] }
      const announcing = await submit(formOf(next))
      const answers = await Promise.all(formsOf(announcing).map((form) => submit(form)))
      return { page: announcing, messages: answers.flatMap(({ html }) => messageIn(html) ?? []) }
    },
  }
}
