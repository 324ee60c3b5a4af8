/** Admission: floods that ask for places rather than for work, beside payers and honest callers of every other kind. */
import { fileURLToPath } from 'node:url'
import { randomId, newForm, openedIdOf } from '../../server/ids.ts'
import { systemClock } from '../../server/dependencies.ts'
import { percentile } from '../../tools/measurement/percentile.ts'
import type { Engine } from '../filled-database/copy-checkout.ts'
import { wait, withAttackedServer, type Attack, type AttackedServer, type Measured } from './attacked-server.ts'
import { beside } from './floods.ts'
import { callUntil, leastServed, openHonestCalls } from './honest-callers.ts'
import { besideQuiet, describePaid, payInRounds, warmUp, type Paid } from './payers.ts'
import type { RawFlood } from './raw-flood-process.ts'

const FORWARDED_FOR = '{forwarded-for}'
const FLOOD_PROCESS = fileURLToPath(new URL('./raw-flood-process.ts', import.meta.url))
/** Before the next flood the server works off what is left of the last one. */
const PAUSE_MS = 3000

/** More than there are connections: each request of a flood comes from a network that has no other under way. */
const MANY_NETWORKS = 100_000

interface Asked {
  readonly method: string
  readonly path: string
  readonly host: string
  readonly more?: Readonly<Record<string, string>>
  readonly body?: string
  /** Promised instead, and not sent. */
  readonly bytes?: number
}

const written = ({ method, path, host, more = {}, body = '', bytes = Buffer.byteLength(body) }: Asked): string => {
  const headers = { host, 'x-forwarded-for': FORWARDED_FOR, 'content-type': 'application/json', ...more }
  const lines = Object.entries({ ...headers, 'content-length': String(bytes) }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

const CARD = { expiryMonth: 12, expiryYear: 2049, cvc: '737', email: 'x@example.com', name: 'TARO YAMADA' }
/** An order that nobody has begun; each place gives another one. */
const inventedId = (place: number): string =>
  place
    .toString(32)
    .replaceAll(/[0189]/g, 'z')
    .padStart(32, 'q')

/** Every flood by its name. */
const floodsOf = async (server: AttackedServer): Promise<Readonly<Record<string, Omit<RawFlood, 'port'>>>> => {
  const { port } = server.shop()
  const shop = { host: `demo.localhost:${port}`, more: { merchant: 'demo' } }
  const checkout = await server.shop().create()
  const link = await server.shop().merchant('POST', '/links', { amount: 1980 })
  const start = (body: object, path = checkout): string =>
    written({ method: 'POST', path: `/api/v1/checkouts/${path}/3ds`, ...shop, body: JSON.stringify(body) })
  const badCard = start({ card: { ...CARD, number: '4111111111111112' } })
  const noCard = start({ card: { ...CARD, number: 'x' } })
  const manyKeys = start(Object.fromEntries(Array.from({ length: 5900 }, (_, place) => [`k${place}`, 1])))
  const invented = Array.from({ length: 500 }, (_, place) => inventedId(place))
  const guesses = invented.flatMap((id) => [
    written({ method: 'PATCH', path: `/api/v1/3ds/${id}/authenticate`, ...shop }),
    written({
      method: 'PATCH',
      path: `/api/v1/checkouts/${checkout}/3ds/${id}/pay`,
      ...shop,
      body: JSON.stringify({ cvc: '737', receiptEmail: 'x@example.com' }),
    }),
    start({ card: { ...CARD, number: '4111111111111111' } }, id),
  ])
  // As whoever knows one link makes them: the link takes them for its own.
  const opened = Array.from({ length: 500 }, () =>
    openedIdOf(String(link.body['id']), 1980, newForm(systemClock.now(), randomId())),
  )
  const aboutOpened = opened.flatMap((id) => [
    start({ card: { ...CARD, number: '4111111111111111' } }, id),
    written({ method: 'GET', path: `/api/v1/checkouts/${id}`, ...shop }),
    written({ method: 'DELETE', path: `/api/v1/checkouts/${id}`, ...shop }),
  ])
  const base = `localhost:${port}`
  const slow = (path: string, host: string, more: Readonly<Record<string, string>> = {}, bytes = 900): string =>
    written({ method: 'POST', path, host, more, bytes })
  const formType = { 'content-type': 'application/x-www-form-urlencoded' }
  const slowForm = slow(`/links/${String(link.body['id'])}`, shop.host, formType)
  const slowNotification = slow('/acquirer/adyen/honest/test', base)
  // They only begin like addresses at which a key or a session is looked up before the body.
  const slowBeside = [slow('/merchant/v1x', base), slow('/console/v1x', base)]
  const slowElsewhere = [
    ...slowBeside,
    slow('/csp-report', shop.host, { 'content-type': 'application/csp-report' }),
    slow('/console/v1/sign-in', `console.${base}`, { origin: `http://console.${base}` }),
    slow('/nowhere', shop.host),
    slow(`/api/v1/checkouts/${checkout}/3ds`, shop.host, shop.more),
  ]
  const flood = (connections: number, requests: readonly string[], more: Partial<RawFlood> = {}) => ({
    connections,
    requests,
    networkMark: FORWARDED_FOR,
    networks: MANY_NETWORKS,
    pipelined: 1,
    halfClosed: false,
    ...more,
  })
  return {
    '1,000 bad cards': flood(1000, [badCard, noCard]),
    '3,000 bad cards': flood(3000, [badCard, noCard]),
    '1,000 invented orders': flood(1000, guesses),
    '1,000 starts and cancels of invented checkouts of a link': flood(1000, aboutOpened),
    '300 bodies of 5,900 keys': flood(300, [manyKeys]),
    '50 connections of 99 bad starts each': flood(50, [noCard], { pipelined: 99 }),
    '24 slow forms of 4 networks': flood(24, [slowForm], { networks: 4, dribbleMs: 1500 }),
    '12 slow notifications': flood(12, [slowNotification], { networks: 4, dribbleMs: 1500 }),
    '40 slow bodies beside the API and the console': flood(40, slowBeside, { networks: 4, dribbleMs: 1500 }),
    '120 slow bodies elsewhere': flood(120, [slowForm, slowNotification, ...slowElsewhere], { dribbleMs: 1500 }),
    '300 half-closed connections': flood(300, [noCard, badCard], { halfClosed: true }),
  }
}

const callersBeside = (engine: Engine, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({ engine }, async (server) => {
    const { port } = server.shop()
    const calls = await openHonestCalls(server)
    const measured: Record<string, number> = {}
    const payBesideOthers = async (name: string): Promise<Paid> => {
      const cpuBefore = await server.running().cpuMs()
      const payersAreDone = new AbortController()
      const [paid, served] = await Promise.all([
        payInRounds(server.shop()).finally(() => payersAreDone.abort()),
        callUntil(calls, { over: payersAreDone.signal, report }),
      ])
      const cpu = ((await server.running().cpuMs()) - cpuBefore) / (10 * paid.seconds)
      const kinds = Object.entries(served).map(([kind, { ms }]) => `${kind} ${percentile(ms, 50).toFixed(0)}`)
      const least = leastServed(served)
      report(
        `${engine}, ${name}: ${describePaid(paid)}; ${cpu.toFixed(0)} % of a core; least served ${least.toFixed(0)} %; p50 of ${kinds.join(', ')}`,
      )
      measured[`${engine}, ${name}: least served of any kind, %`] = least
      return paid
    }
    await warmUp(server.shop())
    const quiet = await payBesideOthers('quiet')
    for (const [name, flood] of Object.entries(await floodsOf(server))) {
      const paid = await beside({ ...flood, port }, report, () => payBesideOthers(name), FLOOD_PROCESS)
      Object.assign(measured, besideQuiet(`${engine}, ${name}`, paid, quiet))
      await wait(PAUSE_MS)
    }
    return measured
  })

export const admission: readonly Attack[] = [
  { name: 'admission on SQLite', run: (report) => callersBeside('SQLite', report) },
  { name: 'admission on PostgreSQL', run: (report) => callersBeside('PostgreSQL', report) },
]
