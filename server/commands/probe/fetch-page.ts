/** Fetched page: a document and its scripts as a stranger gets them, without a browser. */
import http from 'node:http'
import https from 'node:https'
import { isLoopback } from '#contract/loopback.ts'
import { integrityOf, noncesIn, scriptsIn, steadyHeaders, type PageFacts, type RawHeaders } from './page-facts.ts'

export interface FetchedAnswer {
  readonly status: number
  readonly headers: RawHeaders
  readonly body: Buffer
}

export type FetchAnswer = (url: URL) => Promise<FetchedAnswer>

const TIMEOUT_MS = 10_000
const BODY_MAX_BYTES = 4 * 1024 * 1024
const REDIRECTS_MAX = 3

export const fetchAnswer: FetchAnswer = (url) =>
  new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:'
    // Browsers lead every *.localhost to this machine by themselves; Node asks the system, which often does not know it.
    const local = isLoopback(url.hostname) ? { host: '127.0.0.1', servername: url.hostname } : { host: url.hostname }
    const options = {
      ...local,
      port: url.port === '' ? (secure ? 443 : 80) : url.port,
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, 'accept-encoding': 'identity', 'accept-language': 'ja' },
      agent: false,
    } as const
    const request = (secure ? https : http).get(options, (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > BODY_MAX_BYTES) request.destroy(new Error(`more than ${BODY_MAX_BYTES} bytes`))
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      )
    })
    request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error('no answer in time')))
    request.on('error', reject)
  })

/** A redirect is followed on the same host alone: whatever another host answers is not our page. */
const followed = async (fetch: FetchAnswer, url: URL, left = REDIRECTS_MAX): Promise<readonly [URL, FetchedAnswer]> => {
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
  return { facts: { seenBy: 'fetch', headers: steadyHeaders(answer.headers), scripts }, faults }
}
