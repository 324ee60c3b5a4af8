import http from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface Seen {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly html: string
}

interface Form {
  readonly id: string
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  /** How long the page's script waits before it submits; null: it never does. */
  readonly waitMs: number | null
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

/** What the bridge's script would have said of the screen, in a language tag longer than an issuer may be told. */
const SCREEN = {
  language: 'zh-Hant-TW',
  javaEnabled: false,
  colorDepth: 30,
  height: 844,
  width: 390,
  timeZoneOffset: -540,
}

const SIGNS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const unescaped = (markup: string): string =>
  markup.replaceAll(/&(amp|lt|gt|quot|#39);/g, (sign) => SIGNS[sign] ?? sign)
const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescaped(value)
}

const formsOf = ({ html }: Seen): Form[] =>
  [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, tag = '', inner = '']) => {
    const wait = attribute(tag, 'data-wait-ms')
    return {
      id: attribute(tag, 'id') ?? '',
      action: attribute(tag, 'action') ?? '',
      fields: Object.fromEntries(
        [...inner.matchAll(/<input\b[^>]*>/g)].map(([input]) => [
          attribute(input, 'name') ?? '',
          attribute(input, 'value') ?? '',
        ]),
      ),
      waitMs: wait === '' ? null : Number(wait ?? 0),
    }
  })

const formOf = (page: Seen, id?: string): Form => {
  const form = formsOf(page).find((each) => id === undefined || each.id === id)
  if (form === undefined) throw new Error(`no such form on the page: ${page.status} ${page.html.slice(0, 200)}`)
  return form
}

const frameOf = (page: Seen): string => {
  const src = attribute(/<iframe\b[^>]*>/.exec(page.html)?.[0] ?? '', 'src')
  if (src === undefined) throw new Error(`no frame on the page: ${page.status} ${page.html.slice(0, 200)}`)
  return src
}

/** What the bridge's event page tells the card page; undefined where the answer was no such page. */
const messageOf = ({ html }: Seen): string | undefined => /\)\(\{"event":"([^"]*)"\}\)<\/script>/.exec(html)?.[1]

export interface FormBrowser {
  readonly visit: (address: string, form?: Record<string, string>, signal?: AbortSignal) => Promise<Seen>
  /** The two hidden frames, until both have nothing left to say. Each message is handed on when it comes. */
  collect: (frames: { collectUrl: string; monitoringUrl: string }, hear: (message: string) => void) => Promise<void>
  /** The bank's page in the challenge frame. */
  openChallenge: (challengeUrl: string) => Promise<Seen>
  /** Presses a button there. Answers the bank's next page, or what the card page hears when it is over. */
  press: (page: Seen, button: 'confirm' | 'cancel', code?: string) => Promise<{ page: Seen; heard: string[] }>
}

/** How this server is reached: its own hosts are known by their ending. */
interface OurSite {
  readonly hosts: string
  readonly send: (request: {
    readonly method: 'GET' | 'POST'
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly payload?: string
  }) => Promise<{ readonly statusCode: number; readonly body: string }>
}

/** Hosts that say nothing are left after this, as the card page leaves them. */
const SILENCE_MS = 3000

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'AbortError'

/** A browser in front of a server without a socket. */
export const createFormBrowser = (app: FastifyInstance): FormBrowser =>
  browseThrough({ hosts: '.localhost:3000', send: (request) => app.inject(request) })

/** A browser without a window: it follows frames and forms as the scripts on the pages would have submitted them. */
export const browseThrough = ({ hosts, send }: OurSite): FormBrowser => {
  const visit: FormBrowser['visit'] = async (address, form, signal) => {
    const { host, port, pathname, search } = new URL(address)
    const method = form === undefined ? 'GET' : 'POST'
    const payload = form === undefined ? '' : String(new URLSearchParams(form))
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const headers = { host, accept: 'text/html', 'user-agent': 'Phone/1', ...(form === undefined ? {} : type) }
    const path = `${pathname}${search}`
    if (host.endsWith(hosts)) {
      const answer = await send({ method, url: path, headers, ...(form === undefined ? {} : { payload }) })
      return { status: answer.statusCode, headers: {}, html: answer.body }
    }
    // Node resolves no *.localhost; the sandbox tells its hosts apart by this header.
    const options = { host: '127.0.0.1', port, path, method, headers, ...(signal === undefined ? {} : { signal }) }
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    http.request(options, resolve).once('error', reject).end(payload)
    const response = await promise
    return { status: response.statusCode ?? 0, headers: response.headers, html: await text(response) }
  }

  const submit = async (form: Form, changes: Record<string, string> = {}): Promise<Seen> =>
    visit(form.action, { ...form.fields, ...changes })

  const collectFrame = async (url: string, hear: (page: Seen) => void, signal: AbortSignal): Promise<void> => {
    const bridge = await visit(url)
    const { host, pathname } = new URL(url)
    const headers = { host, 'content-type': 'application/json' }
    await send({ method: 'POST', url: `${pathname}/browser`, headers, payload: JSON.stringify(SCREEN) })
    const inner = await visit(frameOf(bridge), undefined, signal)
    const forms = new Map(formsOf(inner).map((form) => [form.id, form]))
    const [trouble, method] = [forms.get('trouble-form'), forms.get('method-form')]
    if (trouble !== undefined) hear(await submit(trouble))
    if (method !== undefined) {
      const back = formOf(await submit(method))
      if (back.waitMs === null) return
      await sleep(back.waitMs)
      await submit(back)
    }
    hear(await submit(formOf(inner, 'event-form'), { param: BROWSER_INFO }))
  }

  const watchFrame = async (url: string, hear: (page: Seen) => void, signal: AbortSignal): Promise<void> => {
    const watching = formOf(await visit(frameOf(await visit(url)), undefined, signal))
    await sleep(watching.waitMs ?? 0)
    const [event] = formsOf(await submit(watching))
    if (event !== undefined) hear(await submit(event))
  }

  return {
    visit,
    collect: async ({ collectUrl, monitoringUrl }, hear) => {
      const timeout = AbortSignal.timeout(SILENCE_MS)
      const listen = (page: Seen): void => {
        const message = messageOf(page)
        if (message !== undefined) hear(message)
      }
      const frames = [collectFrame(collectUrl, listen, timeout), watchFrame(monitoringUrl, listen, timeout)]
      for (const outcome of await Promise.allSettled(frames)) {
        if (outcome.status === 'rejected' && !isTimeout(outcome.reason)) throw outcome.reason
      }
    },
    openChallenge: async (challengeUrl) => submit(formOf(await visit(frameOf(await visit(challengeUrl))))),
    press: async (page, action, code = '') => {
      const next = await submit(formOf(page), { action, code })
      if (formOf(next).action.endsWith('/challenge/answer')) return { page: next, heard: [] }
      const announcing = await submit(formOf(next))
      const answers = await Promise.all(formsOf(announcing).map((form) => submit(form)))
      return { page: announcing, heard: answers.flatMap((answer) => messageOf(answer) ?? []) }
    },
  }
}
