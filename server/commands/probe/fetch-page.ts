/** Fetched page: a document and its scripts as a stranger gets them, without a browser. */
import { sendAsBrowser, type ReceivedAnswer } from '../send-as-browser.ts'
import { integrityOf, noncesIn, scriptsIn, steadyHeaders, type PageFacts } from './page-facts.ts'

export type FetchAnswer = (url: URL) => Promise<ReceivedAnswer>

const LIMITS = { timeoutMs: 10_000, bytesMax: 4 * 1024 * 1024 }
const REDIRECTS_MAX = 3

const fetchAnswer: FetchAnswer = (url) =>
  sendAsBrowser({ method: 'GET', url, headers: { 'accept-language': 'ja' } }, LIMITS)

/** A redirect is followed on the same host alone: whatever another host answers is not our page. */
const followed = async (
  fetch: FetchAnswer,
  url: URL,
  left = REDIRECTS_MAX,
): Promise<readonly [URL, ReceivedAnswer]> => {
  const answer = await fetch(url)
  const location = answer.headers['location']
  if (answer.status < 300 || answer.status > 399 || typeof location !== 'string') return [url, answer]
  const next = new URL(location, url)
  if (next.origin !== url.origin) throw new Error(`it leads away to ${next.origin}`)
  if (left === 0) throw new Error('it leads on and on')
  return followed(fetch, next, left - 1)
}

export interface FetchedPage {
  readonly facts: PageFacts
  /** What is wrong whatever was stored before. */
  readonly faults: readonly string[]
}

const OK = 200

const scriptOf = async (fetch: FetchAnswer, url: URL): Promise<string> => {
  const { status, body } = await fetch(url)
  return status === OK ? integrityOf(body) : `HTTP ${status}`
}

export const fetchPage = async (address: URL, fetch: FetchAnswer = fetchAnswer): Promise<FetchedPage> => {
  const [url, answer] = await followed(fetch, address)
  if (answer.status !== OK) throw new Error(`it answers HTTP ${answer.status}`)
  const { inline, addresses } = scriptsIn(answer.body.toString('utf8'))
  const scripts: Record<string, string> = {}
  for (const [at, text] of inline.entries()) scripts[`inline ${at + 1}`] = integrityOf(text)
  for (const each of addresses) {
    const script = new URL(each, url)
    scripts[script.origin === url.origin ? script.pathname : script.href] = await scriptOf(fetch, script)
  }
  const nonces = noncesIn(answer.headers)
  const again = noncesIn((await fetch(url)).headers)
  const faults = nonces.some((nonce) => again.includes(nonce)) ? ['the nonce is the same in two answers'] : []
  return { facts: { headers: steadyHeaders(answer.headers), scripts }, faults }
}
