/** Text: letters that are none, sent by one program of a shop or stored by an earlier release, and texts that nobody sees. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import lz from 'lz-string'
import type { Engine } from '../filled-database/copy-checkout.ts'
import { keptConnection } from '../fuzz/connection.ts'
import { bytesOf, type FuzzRequest } from '../fuzz/fuzz-request.ts'
import { problemOfJson, problemOfText, strictText } from '../fuzz/strict-reader.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { listenOnFreePort } from '../harness/server-process.ts'
import { register } from './outbox.ts'
import { until, withAttackedServer, type Attack, type AttackedServer, type Measured } from './attacked-server.ts'

type Send = (
  method: string,
  path: string,
  more?: Partial<FuzzRequest>,
) => Promise<{
  readonly status: number
  readonly location: string | undefined
  readonly body: string
  readonly problem: string | undefined
}>

/** A client that sends any bytes as the shop, and reads as strictly as PHP does. */
const strictClient = async <T>(server: AttackedServer, work: (send: Send) => Promise<T>): Promise<T> => {
  const { port, key } = server.running()
  const connection = keptConnection(port)
  const common = { host: `localhost:${port}`, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  try {
    return await work(async (method, target, more = {}) => {
      const headers = { ...common, ...more.headers }
      const request = { method, target, body: null, ...more, headers }
      const exchange = await connection.send(bytesOf(request), false)
      if (exchange.outcome !== 'answered') throw new Error(`${method} ${target}: ${exchange.outcome}`)
      const { status, headers: received, body, isBroken = false } = exchange.answer
      const problem = problemOfText(received.get('content-type') ?? '', isBroken ? undefined : body)
      return { status, location: received.get('location'), body, problem }
    })
  } finally {
    connection.close()
  }
}

const API = '/merchant/v1'
const HALF = String.raw`a\ud83d`
const sentAs = (charset: string): Partial<FuzzRequest> => ({
  isLatin1: true,
  headers: { 'content-type': `application/json; charset=${charset}` },
})
/** 日本茶 in Shift_JIS. */
const SHIFT_JIS = '\x93\xfa\x96\x7b\x92\x83'

/** None of these is text. */
const BROKEN: readonly (readonly [method: string, path: string, body: string | null, more?: Partial<FuzzRequest>])[] = [
  ['POST', '/checkouts', `{"amount":1,"metadata":{"note":"${HALF}"}}`],
  ['POST', '/checkouts', `{"amount":1,"metadata":{"${HALF}":"x"}}`],
  ['POST', '/checkouts', `{"amount":1,"subject":"${HALF}","reference":"\\udc75"}`],
  ['POST', '/links', `{"amount":1,"subject":"${HALF}"}`],
  ['POST', '/links', `{"amount":1,"remarks":"${HALF}"}`],
  ['PATCH', '/settings', `{"shopAddress":"${HALF}"}`, { headers: { 'if-match': '*' } }],
  ['POST', '/checkouts', `{"amount":1,"subject":"${SHIFT_JIS}"}`, sentAs('Shift_JIS')],
  ['POST', '/checkouts', `{"amount":1,"subject":"${SHIFT_JIS}"}`, sentAs('utf-8')],
  ['POST', '/checkouts', '{"amount":1,"subject":"caf\xe9"}', sentAs('iso-8859-1')],
  ['POST', '/links', '{"amount":1,"subject":"\xed\xa0\xbd"}', sentAs('utf-8')],
  ['GET', '/checkouts?reference=caf%e9', null],
  ['GET', '/checkouts?reference=caf\xe9', null],
  ['GET', '/exports/checkouts.csv?status=paid&search=%ED%A0%BD', null],
]

/** Texts that a shopper would see turned around, or not at all. */
const UNSEEN: typeof BROKEN = [
  ['POST', '/checkouts', '{"amount":1,"subject":"tea \u202eaet"}'],
  ['POST', '/links', '{"amount":1,"remarks":"\u2066tea"}'],
  ['POST', '/checkouts', '{"amount":1980,"subject":"\u200b","taxes":[{"rate":10,"amount":1980}]}'],
  ['POST', '/checkouts', '{"amount":1980,"subject":"\u3164","taxes":[{"rate":10,"amount":1980}]}'],
  ['PATCH', '/settings', '{"shopName":"\u202eTea"}', { headers: { 'if-match': '*' } }],
  ['PATCH', '/settings', '{"shopName":"\u3164"}', { headers: { 'if-match': '*' } }],
]

const READ = ['/checkouts?limit=100', '/links?limit=100', '/events?limit=100', '/settings'] as const

const unreadable = async (send: Send, paths: readonly string[], report: (line: string) => void): Promise<number> => {
  let count = 0
  for (const path of paths) {
    const { status, problem } = await send('GET', API + path)
    if (status === 200 && problem === undefined) continue
    report(`${path}: ${status} ${problem ?? ''}`)
    count += 1
  }
  return count
}

const brokenTexts = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, (server) =>
    strictClient(server, async (send) => {
      const taken = async (requests: typeof BROKEN): Promise<number> => {
        let count = 0
        for (const [method, path, body, more] of requests) {
          const { status, body: answer } = await send(method, API + path, { body, ...more })
          if (status < 400) count += 1
          report(`${method} ${path}: ${status} ${answer.slice(0, 120)}`)
        }
        return count
      }
      return {
        [`${engine}: texts that are none taken, of ${BROKEN.length}`]: await taken(BROKEN),
        [`${engine}: texts turned around or not seen taken, of ${UNSEEN.length}`]: await taken(UNSEEN),
        [`${engine}: pages of the API that a strict reader cannot read`]: await unreadable(send, READ, report),
      }
    }),
  )

/** As an earlier release stored them. */
const STORED = [
  String.raw`UPDATE checkouts SET metadata = '{"note":"a\ud83d","\udc00":"b"}' RETURNING 1 AS x`,
  String.raw`UPDATE merchants SET settings = replace(settings, '"shopName":"', '"shopName":"\ud83d') RETURNING 1 AS x`,
  String.raw`UPDATE reusable_links SET checkout = replace(checkout, '"subject":"', '"subject":"\ud83d') RETURNING 1 AS x`,
]

/** Reads what it is sent strictly. */
const withStrictEndpoint = async <T>(
  work: (url: string, problems: (string | undefined)[]) => Promise<T>,
): Promise<T> => {
  const problems: (string | undefined)[] = []
  const endpoint = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const text = strictText(bytes)
      problems.push(text === undefined ? 'bytes that are no UTF-8' : problemOfJson(text))
      response.end()
    })
  })
  const port = await listenOnFreePort(endpoint)
  try {
    return await work(`http://127.0.0.1:${port}/`, problems)
  } finally {
    endpoint.closeAllConnections()
    endpoint.close()
  }
}

/** The page that a reusable link leads to: whether it is drawn from the same text that its script is given. */
const pageOfLink = async (send: Send, port: number, linkId: string): Promise<string | undefined> => {
  const headers = { host: `demo.localhost:${port}`, 'content-type': 'application/x-www-form-urlencoded' }
  const opened = await send('POST', `/links/${linkId}`, { headers, body: 'form=x' })
  if (opened.location === undefined) return `the link answers ${opened.status} ${opened.body.slice(0, 80)}`
  const page = await send('GET', `${opened.location}/creditcard`, { headers })
  return page.status === 200 ? page.problem : `the page answers ${page.status}`
}

const storedHalves = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withStrictEndpoint((url, problems) =>
    withAttackedServer({ engine }, async (server) => {
      const shop = server.shop()
      await register(shop, url)
      const checkoutId = await shop.create({ metadata: { note: 'tea' } })
      const link = await shop.merchant('POST', '/links', { amount: 1980, subject: 'Tea' })
      const linkId = String(link.body['id'])
      await server.kill()
      await server.sql(async (each) => {
        for (const statement of STORED)
          if ((await each.rows(statement)).length === 0) throw new Error(`nothing to break: ${statement}`)
      })
      await server.start()
      return strictClient(server, async (send) => {
        const cancelled = await send('POST', `${API}/checkouts/${checkoutId}/cancel`, { body: '{}' })
        await until(20_000, async () => problems.length > 0)
        const page = await pageOfLink(send, server.running().port, linkId)
        const unread = await unreadable(send, [...READ, `/links/${linkId}`], report)
        report(
          `cancel ${cancelled.status}; page: ${page ?? 'read'}; webhooks: ${problems.map((each) => each ?? 'read').join()}`,
        )
        return {
          [`${engine}: answers about stored halves that a strict reader cannot read`]:
            unread + (cancelled.problem === undefined ? 0 : 1),
          [`${engine}: pages drawn of stored halves that do not come alive`]: page === undefined ? 0 : 1,
          [`${engine}: webhooks of stored halves read strictly`]: problems.filter((each) => each === undefined).length,
        }
      })
    }),
  )

const PREVIEWS = 20
const WARM_UP = 10

/** The texts differ, so that nothing remembered from one helps with the next. */
const previews = (report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({}, (server) =>
    strictClient(server, async (send) => {
      const random = seededRandom(1)
      const headers = { host: `demo.localhost:${server.running().port}` }
      const draw = async (): Promise<void> => {
        const kanji = Array.from({ length: 3000 }, () => String.fromCodePoint(0x4e00 + random.between(0, 20_000))).join(
          '',
        )
        const query = new URLSearchParams({ remarks: lz.compressToEncodedURIComponent(kanji) })
        const { status } = await send('GET', `/preview?${query}`, { headers })
        if (status !== 200) throw new Error(`the preview answers ${status}`)
      }
      for (let each = 0; each < WARM_UP; each += 1) await draw()
      const before = await server.running().cpuMs()
      for (let each = 0; each < PREVIEWS; each += 1) await draw()
      const cpuMs = ((await server.running().cpuMs()) - before) / PREVIEWS
      report(`a preview of 3,000 random kanji takes ${cpuMs.toFixed(1)} ms of CPU`)
      return { 'preview of 3,000 random kanji, ms of CPU': cpuMs }
    }),
  )

/** Names of nobody's policy, and then what a browser reports of a script that was put into a card page. */
const inventedReports = (): Promise<Measured> =>
  withAttackedServer({}, (server) =>
    strictClient(server, async (send) => {
      const headers = { host: `demo.localhost:${server.running().port}`, 'content-type': 'application/csp-report' }
      const tell = (directive: string) =>
        send('POST', '/csp-report', {
          headers,
          body: JSON.stringify({ 'csp-report': { 'effective-directive': directive } }),
        })
      for (let each = 0; each < 45; each += 1)
        await tell(`invented-${String.fromCharCode(97 + (each % 26))}${'x'.repeat(each)}`.slice(0, 40))
      await tell('script-src-elem')
      const named = (word: string): boolean => server.logLines.some((line) => line.includes(word))
      await until(5000, async () => named('script-src-elem'))
      return {
        'reports of a blocked script named after 45 invented ones': named('script-src-elem') ? 1 : 0,
        'invented names in the log': server.logLines.filter((line) => line.includes('"invented-')).length,
      }
    }),
  )

const GUESSABLE = ['change-me-with-openssl-rand-hex-32', '0'.repeat(64)]

const guessableKeys = async (report: (line: string) => void): Promise<Measured> => {
  let started = 0
  for (const key of GUESSABLE) {
    const refusal = await withAttackedServer({ more: { SECRET_KEY: key } }, async () => null).catch(String)
    if (refusal === null) started += 1
    else if (!refusal.includes('SECRET_KEY')) throw new Error(`not refused for its key: ${refusal}`)
    report(refusal ?? 'it started')
  }
  return { [`starts with a guessable key, of ${GUESSABLE.length}`]: started }
}

export const text: readonly Attack[] = [
  { name: 'broken texts, SQLite', run: (report) => brokenTexts('SQLite', report) },
  { name: 'broken texts, PostgreSQL', run: (report) => brokenTexts('PostgreSQL', report) },
  { name: 'stored halves, SQLite', run: (report) => storedHalves('SQLite', report) },
  { name: 'stored halves, PostgreSQL', run: (report) => storedHalves('PostgreSQL', report) },
  { name: 'previews of random kanji', run: previews },
  { name: 'invented CSP reports', run: inventedReports },
  { name: 'guessable secret keys', run: guessableKeys },
]
