/** Honest callers: one of every kind that is no payer, calling at an even pace beside an attack. Each call is one of an address of its own. */
import { send, type ApiAnswer, type Call } from '../harness/shop-client.ts'
import { addAdyenShops } from './adyen-shops.ts'
import { wait, type AttackedServer } from './attacked-server.ts'

const EVERY_MS = 400
/** Whoever waits longer has left. */
const TIMEOUT_MS = 10_000

/** A call of one kind, by the address it comes from, and the answer of a server that does its work. */
interface HonestCall {
  readonly wanted: number
  call(from: string): Promise<ApiAnswer>
}

/** How many calls of each kind were made, and how many of them were served. */
export type Served = Readonly<
  Record<string, { readonly calls: number; readonly served: number; readonly ms: readonly number[] }>
>

let addresses = 0
/** In a range of its own, so that no limit by network is met. */
const nextAddress = (): string => {
  addresses += 1
  return `100.${64 + ((addresses >> 16) & 63)}.${(addresses >> 8) & 255}.${addresses & 255}`
}

export type HonestCalls = Readonly<Record<string, HonestCall>>

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const REPORT = { 'content-type': 'application/csp-report' }

/** Opens what the callers call: a shop with an account at Adyen, a reusable link, a checkout to read. */
export const openHonestCalls = async (server: AttackedServer): Promise<HonestCalls> => {
  const [notified] = await addAdyenShops(server, ['honest'])
  if (notified === undefined) throw new Error('no shop with an account at Adyen')
  const { port, key } = notified.shop
  const link = await server.shop().merchant('POST', '/links', { amount: 1980 })
  if (link.status !== 201) throw new Error(`no reusable link: ${link.text.slice(0, 200)}`)
  const linkPath = `/links/${String(link.body['id'])}`
  const checkout = await server.shop().create()
  const base = { host: `localhost:${port}` }
  const ofShop = { host: `demo.localhost:${port}`, merchant: 'demo' }
  const atConsole = { host: `console.localhost:${port}`, origin: `http://console.localhost:${port}` }
  const asked = (call: Omit<Call, 'timeoutMs'>, wanted: number): HonestCall => ({
    wanted,
    call: (from) =>
      send(port, { ...call, headers: { ...call.headers, 'x-forwarded-for': from }, timeoutMs: TIMEOUT_MS }),
  })
  const get = (path: string, headers: Call['headers']): HonestCall => asked({ method: 'GET', path, headers }, 200)
  const post = (path: string, headers: Call['headers'], body: object, wanted: number): HonestCall =>
    asked({ method: 'POST', path, headers, body }, wanted)
  const report = Buffer.from('{"csp-report":{"effective-directive":"img-src"}}')
  return {
    'link pages': get(linkPath, ofShop),
    'link openings': post(linkPath, { ...ofShop, ...FORM }, Buffer.from('amount='), 303),
    notifications: { wanted: 200, call: (from) => notified.notify([notified.item()], from) },
    'sign-in documents': get('/sign-in', atConsole),
    'sign-in challenges': post('/console/v1/sign-in', atConsole, {}, 200),
    'merchant calls': get('/merchant/v1/me', { ...base, authorization: `Bearer ${key}` }),
    readings: get(`/api/v1/checkouts/${checkout}`, ofShop),
    pages: get(`/${checkout}/creditcard`, ofShop),
    'health checks': get('/readyz', base),
    'browser reports': post('/csp-report', { ...ofShop, ...REPORT }, report, 204),
  }
}

/** Each kind calls once in EVERY_MS until it is over, whether its last call was answered or not. */
export const callUntil = async (
  calls: HonestCalls,
  { over, report }: { readonly over: AbortSignal; report(line: string): void },
): Promise<Served> => {
  const callOnce = async (name: string, { wanted, call }: HonestCall, ms: number[]): Promise<boolean> => {
    const began = performance.now()
    const answer = await call(nextAddress()).catch((error: unknown) => String(error))
    ms.push(performance.now() - began)
    if (typeof answer !== 'string' && answer.status === wanted) return true
    const why =
      typeof answer === 'string' ? answer : `${answer.status} ${answer.text.slice(0, 60).replaceAll('\n', ' ')}`
    report(`${name}: ${why}`)
    return false
  }
  const callRepeatedly = async ([name, call]: readonly [string, HonestCall]) => {
    const made: Promise<boolean>[] = []
    const ms: number[] = []
    while (!over.aborted) {
      made.push(callOnce(name, call, ms))
      await wait(EVERY_MS)
    }
    const answers = await Promise.all(made)
    return [name, { calls: answers.length, served: answers.filter(Boolean).length, ms }] as const
  }
  return Object.fromEntries(await Promise.all(Object.entries(calls).map(callRepeatedly)))
}

/** The smallest part of its calls, in percent, that any kind was served. */
export const leastServed = (served: Served): number =>
  Math.min(...Object.values(served).map(({ calls, served: good }) => (100 * good) / calls))
