/** Honest callers: one of every kind that is no payer, calling at an even pace beside an attack. Each call is one of an address of its own. */
import { sign } from '../../server/gateways/adyen/hmac.ts'
import { saveTestAccount, TEST_SECRET_KEY } from '../harness/test-accounts.ts'
import { send, type ApiAnswer, type Call } from '../harness/shop-client.ts'
import { merchantIdOf, wait, type AttackedServer } from './attacked-server.ts'

/** What a server must be started with, for its shops' accounts at an acquirer are sealed with this key. */
export const HONEST_SETTINGS = { SECRET_KEY: TEST_SECRET_KEY } as const

const EVERY_MS = 400
/** Whoever waits longer has left. */
const TIMEOUT_MS = 10_000

const HMAC_KEY = 'AB'.repeat(32)
const ACCOUNT = { kind: 'adyen', apiKey: 'test_key_1', merchantAccount: 'HonestTEST', hmacKey: HMAC_KEY } as const

type HonestCall = Omit<Call, 'timeoutMs'> & {
  /** The answer of a server that does its work. */
  readonly wanted: number
}

/** How many calls of each kind were made, and how many of them were served. */
export type Served = Readonly<Record<string, { readonly calls: number; readonly served: number; readonly ms: readonly number[] }>>

let addresses = 0
/** In a range of its own, so that no limit by network is met. */
const nextAddress = (): string => {
  addresses += 1
  return `100.${64 + ((addresses >> 16) & 63)}.${(addresses >> 8) & 255}.${addresses & 255}`
}

let notified = 0
const notification = (): object => {
  notified += 1
  const item = {
    pspReference: `HONEST${String(notified).padStart(10, '0')}`,
    merchantAccountCode: ACCOUNT.merchantAccount,
    merchantReference: 'nfg3pm3cuat4nms3ckpbnx4hezgorunq',
    amount: { value: 1980, currency: 'JPY' },
    eventCode: 'AUTHORISATION',
    success: 'true',
    eventDate: new Date(0).toISOString(),
    reason: '',
  }
  const signed = { ...item, additionalData: { hmacSignature: sign(item, HMAC_KEY) } }
  return { live: 'false', notificationItems: [{ NotificationRequestItem: signed }] }
}

/** The calls of every kind, each made anew. */
export type HonestCalls = Readonly<Record<string, () => HonestCall>>

/** Opens what the callers call: a shop with an account at Adyen, a reusable link, a checkout to read. */
export const openHonestCalls = async (server: AttackedServer): Promise<HonestCalls> => {
  const shop = await server.addShop('honest')
  const { port } = shop
  await server.sql(async (sql) =>
    saveTestAccount(
      sql,
      { merchantId: await merchantIdOf(server, 'honest'), mode: 'test' },
      { kind: 'adyen', apiBase: `${server.sandbox.origin}/adyen`, credentials: JSON.stringify(ACCOUNT) },
    ),
  )
  const link = await server.shop().merchant('POST', '/links', { amount: 1980 })
  if (link.status !== 201) throw new Error(`no reusable link: ${link.text.slice(0, 200)}`)
  const linkPath = `/links/${String(link.body['id'])}`
  const checkout = await server.shop().create()
  const base = { host: `localhost:${port}` }
  const ofShop = { host: `demo.localhost:${port}`, merchant: 'demo' }
  const console = { host: `console.localhost:${port}`, origin: `http://console.localhost:${port}` }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const get = (path: string, headers: Call['headers'], wanted = 200) => (): HonestCall => ({
    method: 'GET',
    path,
    headers,
    wanted,
  })
  return {
    'link pages': get(linkPath, ofShop),
    'link openings': () => ({
      method: 'POST',
      path: linkPath,
      headers: { ...ofShop, ...form },
      body: Buffer.from('amount='),
      wanted: 303,
    }),
    notifications: () => ({
      method: 'POST',
      path: '/acquirer/adyen/honest/test',
      headers: base,
      body: notification(),
      wanted: 200,
    }),
    'sign-in documents': get('/sign-in', console),
    'sign-in challenges': () => ({
      method: 'POST',
      path: '/console/v1/sign-in',
      headers: console,
      body: {},
      wanted: 200,
    }),
    'merchant calls': get('/merchant/v1/me', { ...base, authorization: `Bearer ${shop.key}` }),
    readings: get(`/api/v1/checkouts/${checkout}`, ofShop),
    pages: get(`/${checkout}/creditcard`, ofShop),
    'health checks': get('/readyz', base),
    'browser reports': () => ({
      method: 'POST',
      path: '/csp-report',
      headers: { ...ofShop, 'content-type': 'application/csp-report' },
      body: Buffer.from('{"csp-report":{"effective-directive":"img-src"}}'),
      wanted: 204,
    }),
  }
}

/** Each kind calls once in EVERY_MS until the time is up, whether its last call was answered or not. */
export const callUntil = async (
  calls: HonestCalls,
  { port, untilMs, report }: { readonly port: number; readonly untilMs: number; report(line: string): void },
): Promise<Served> => {
  const callOnce = async (name: string, { wanted, ...call }: HonestCall, ms: number[]): Promise<boolean> => {
    const began = performance.now()
    const headers = { ...call.headers, 'x-forwarded-for': nextAddress() }
    const answer: ApiAnswer | Error = await send(port, { ...call, headers, timeoutMs: TIMEOUT_MS }).catch(
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    )
    ms.push(performance.now() - began)
    if (!(answer instanceof Error) && answer.status === wanted) return true
    report(`${name}: ${answer instanceof Error ? answer.message : `${answer.status} ${answer.text.slice(0, 60).replaceAll("\n", " ")}`}`)
    return false
  }
  const callRepeatedly = async ([name, next]: readonly [string, () => HonestCall]) => {
    const made: Promise<boolean>[] = []
    const ms: number[] = []
    while (performance.now() < untilMs) {
      made.push(callOnce(name, next(), ms))
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
