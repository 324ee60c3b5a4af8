/** 3-D Secure frames: the pages that a card page frames while a card holder is authenticated, driven without a browser. */
import type { WebRequest } from '../send-as-browser.ts'
import { formsIn, frameIn, messageIn, type HtmlForm } from './html-forms.ts'

/** What the card holder does on the bank's page. */
export const BANK_ACTIONS = ['code', 'wrong', 'cancel', 'wait'] as const
export type BankAction = (typeof BANK_ACTIONS)[number]

/** The frames are not those of the sandbox: nothing is submitted there. */
export class NoSandbox extends Error {}

/** A page as a text. */
interface WebAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

export interface FramePorts {
  /** Rejects where there is no answer. */
  readonly send: (request: WebRequest) => Promise<WebAnswer>
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Every page of the sandbox says so of itself. */
const SANDBOX_HEADER = 'kaikei-sandbox'

const SCREEN = { language: 'ja', javaEnabled: false, colorDepth: 24, height: 844, width: 390, timeZoneOffset: -540 }

/** What the 3-D Secure server's own script would have found out. */
const BROWSER_INFO = Buffer.from(
  JSON.stringify({
    browserAcceptHeader: 'text/html',
    browserUserAgent: 'kaikei sandbox pay',
    browserIP: '127.0.0.1',
    browserLanguage: SCREEN.language,
    browserJavascriptEnabled: true,
    browserJavaEnabled: SCREEN.javaEnabled,
    browserColorDepth: String(SCREEN.colorDepth),
    browserScreenHeight: String(SCREEN.height),
    browserScreenWidth: String(SCREEN.width),
    browserTZ: String(SCREEN.timeZoneOffset),
  }),
).toString('base64url')

const RIGHT_CODE = '123456'
const WRONG_CODE = '000000'
const CODE_TRIES = 3

const isRefusedFrame = ({ headers }: WebAnswer): boolean => headers['x-frame-options'] === 'DENY'

export const createThreeDSFrames = ({ send, sleep }: FramePorts, userAgent: string) => {
  const headers = { accept: 'text/html', 'accept-language': 'ja', 'user-agent': userAgent }
  const open = (address: string, signal?: AbortSignal): Promise<WebAnswer> =>
    send({ method: 'GET', url: new URL(address), headers, ...(signal === undefined ? {} : { signal }) })

  /** What our bridge frames; null where it frames nothing. Looked at before anything is submitted there. */
  const openFramed = async (bridgeAddress: string, signal?: AbortSignal): Promise<WebAnswer | null> => {
    const framed = frameIn((await open(bridgeAddress, signal)).text)
    if (framed === null) return null
    const page = await open(framed, signal)
    if (page.headers[SANDBOX_HEADER] === undefined) throw new NoSandbox(new URL(framed).host)
    return page
  }

  const submit = ({ action, fields }: HtmlForm, more = {}, signal?: AbortSignal): Promise<WebAnswer> =>
    send({
      method: 'POST',
      url: new URL(action),
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ ...fields, ...more })),
      ...(signal === undefined ? {} : { signal }),
    })

  const formNamed = ({ text }: WebAnswer, id: string): HtmlForm | undefined =>
    formsIn(text).find((form) => form.id === id)

  /** The bank's method in its hidden frame; false where it never ends. */
  const runMethod = async (form: HtmlForm, signal: AbortSignal): Promise<boolean> => {
    const [back] = formsIn((await submit(form, {}, signal)).text)
    if (back === undefined || back.waitMs === null) return false
    await sleep(back.waitMs, signal)
    await submit(back, {}, signal)
    return true
  }

  const runCollectFrame = async (address: string, tell: (message: string) => void, signal: AbortSignal) => {
    const passOn = (page: WebAnswer): void => {
      const message = messageIn(page.text)
      if (message !== null) tell(message)
    }
    const facts = new URL(`${new URL(address).pathname}/browser`, address)
    await send({
      method: 'POST',
      url: facts,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(SCREEN),
      signal,
    })
    const page = await openFramed(address, signal)
    if (page === null) return tell('3DS_DO_AUTH')
    const [trouble, method, event] = ['trouble-form', 'method-form', 'event-form'].map((id) => formNamed(page, id))
    if (trouble !== undefined) passOn(await submit(trouble, {}, signal))
    if (method !== undefined && !(await runMethod(method, signal))) return undefined
    if (event !== undefined) passOn(await submit(event, { param: BROWSER_INFO }, signal))
    return undefined
  }

  const runWatchFrame = async (address: string, tell: (message: string) => void, signal: AbortSignal) => {
    const [watching] = formsIn((await openFramed(address, signal))?.text ?? '')
    if (watching === undefined) return
    await sleep(watching.waitMs ?? 0, signal)
    const [event] = formsIn((await submit(watching, {}, signal)).text)
    const message = event === undefined ? null : messageIn((await submit(event, {}, signal)).text)
    if (message !== null) tell(message)
  }

  return {
    /** The first message of the two hidden frames; null where none comes in time, as from a bank that stays silent. */
    collect: async (frames: { readonly collectUrl: string; readonly monitoringUrl: string }, limitMs: number) => {
      const ended = new AbortController()
      const { promise: first, resolve, reject } = Promise.withResolvers<string | null>()
      const silent = (error: unknown): void => {
        if (error instanceof NoSandbox) reject(error)
      }
      void runCollectFrame(frames.collectUrl, resolve, ended.signal).catch(silent)
      void runWatchFrame(frames.monitoringUrl, resolve, ended.signal).catch(silent)
      void sleep(limitMs, ended.signal).then(
        () => resolve(null),
        () => undefined,
      )
      try {
        return await first
      } finally {
        ended.abort()
      }
    },

    /** What the card page is told when the bank's page is left; nothing where the card holder waits. */
    answerChallenge: async (challengeUrl: string, action: BankAction): Promise<readonly string[]> => {
      const [toBank] = formsIn((await openFramed(challengeUrl))?.text ?? '')
      if (toBank === undefined) return []
      let page = await submit(toBank)
      const asks = (): HtmlForm | undefined =>
        formsIn(page.text).find((form) => form.action.endsWith('/challenge/answer'))
      if (action === 'wait' || isRefusedFrame(page) || (action !== 'cancel' && !('code' in (asks()?.fields ?? {}))))
        return []
      const triesMax = action === 'cancel' ? 0 : CODE_TRIES
      for (let tries = 0; tries < triesMax; tries += 1) {
        const form = asks()
        if (form === undefined) break
        page = await submit(form, { action: 'confirm', code: action === 'code' ? RIGHT_CODE : WRONG_CODE })
      }
      // A bank that takes no code: the only way out is Cancel.
      const stillAsks = asks()
      if (stillAsks !== undefined) page = await submit(stillAsks, { action: 'cancel', code: '' })
      const [back] = formsIn(page.text)
      if (back === undefined) return []
      const announcing = await submit(back)
      const told: string[] = []
      for (const form of formsIn(announcing.text)) {
        const message = messageIn((await submit(form)).text)
        if (message !== null) told.push(message)
      }
      return told
    },
  }
}
