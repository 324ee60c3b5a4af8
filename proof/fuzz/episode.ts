/** Episode of fuzz: one checkout's calls in their order, most of them also mutated, with noise and raw bytes between them. */
import { seededId, seededRandom, type SeededRandom } from '../harness/seeded-random.ts'
import type { FuzzAnswer } from './connection.ts'
import { isErrorPage, type FuzzRequest, type FuzzSite, type KnownIds } from './fuzz-request.ts'
import { CONSOLE_CALLS } from './console-calls.ts'
import { mutate, unknownAddress } from './mutations.ts'
import { rawRequest, type RawRequest } from './raw-requests.ts'
import { FUZZED_ROUTES, isDear } from './routes.ts'

const CREATE = 'POST /merchant/v1/checkouts'
const START = 'POST /api/v1/checkouts/:checkoutId/3ds'
const READ = 'GET /api/v1/checkouts/:checkoutId'
const AUTHENTICATE = 'PATCH /api/v1/3ds/:orderCode/authenticate'
const PAY = 'PATCH /api/v1/checkouts/:checkoutId/3ds/:orderCode/pay'
const REFUND = 'POST /merchant/v1/checkouts/:checkoutId/refunds'
const READ_REFUND = 'GET /merchant/v1/checkouts/:checkoutId/refunds/:refundId'
const CANCEL = 'DELETE /api/v1/checkouts/:checkoutId'

/** A payment from its beginning to its end, through the bridge and a challenge. */
const PAYMENT: readonly string[] = [
  CREATE,
  'GET /:checkoutId',
  READ,
  START,
  'GET /collect/:ticket',
  'POST /collect/:ticket/browser',
  'GET /watch/:ticket',
  'POST /events/:ticket',
  AUTHENTICATE,
  'GET /challenge/:ticket',
  'GET /api/v1/3ds/:orderCode/monitor',
  PAY,
  READ,
  'POST /merchant/v1/checkouts/:checkoutId/receipt',
  REFUND,
  READ_REFUND,
  'POST /merchant/v1/checkouts/:checkoutId/receipt',
  'GET /merchant/v1/checkouts/:checkoutId',
  CANCEL,
  'POST /merchant/v1/links',
  'GET /links/:linkId',
  'POST /links/:linkId',
  'PATCH /merchant/v1/links/:linkId',
  'GET /merchant/v1/links/:linkId',
  'POST /merchant/v1/webhooks',
  'GET /merchant/v1/webhooks',
  'PATCH /merchant/v1/webhooks/:webhookId',
  'POST /merchant/v1/webhooks/:webhookId/ping',
  'POST /merchant/v1/webhooks/:webhookId/replay',
  'GET /merchant/v1/events',
  'POST /merchant/v1/events/:eventId/redeliver',
  'DELETE /merchant/v1/webhooks/:webhookId',
]

/** Ends an attempt instead of paying it. */
const REPORTS = ['PATCH /api/v1/3ds/:orderCode/collect-error', 'PATCH /api/v1/3ds/:orderCode/challenge-error'] as const

/** Noise of these ends the attempt under way, so that it mostly concerns another checkout: too many failures force a challenge on the merchant. */
const ENDS_ATTEMPT: readonly string[] = [START, CANCEL, ...REPORTS]
const ENDING_NOISE_SHARE = 0.2

const CHEAP_ROUTES = Object.keys(FUZZED_ROUTES).filter((route) => !isDear(route))
const DEAR_ROUTES = Object.keys(FUZZED_ROUTES).filter(isDear)

const MUTANTS_MAX = 4
/** Noise before each call of the payment. */
const NOISE_MAX = 2
const DEAR_SHARE = 0.05
const UNKNOWN_SHARE = 0.2
const RAW_SHARE = 0.025

export type Step =
  | { readonly kind: 'request'; readonly request: FuzzRequest }
  | { readonly kind: 'raw'; readonly raw: RawRequest }

/** What stands in for ids that nobody has told us yet. */
const unknownIds = (random: SeededRandom): KnownIds => ({
  checkoutId: seededId(random),
  orderCode: seededId(random),
  ticket: seededId(random) + seededId(random),
  refundId: seededId(random),
  linkId: seededId(random),
  webhookId: `we_${seededId(random)}`,
  eventId: `evt_${seededId(random)}`,
})

const CONSOLE_NAMES = Object.keys(CONSOLE_CALLS)
const CONSOLE_PER_EPISODE = 4

/** Calls of the console, those of all episodes in turn. */
const consoleCallsOf = (episode: number): string[] =>
  Array.from(
    { length: CONSOLE_PER_EPISODE },
    (_, place) => CONSOLE_NAMES[(episode * CONSOLE_PER_EPISODE + place) % CONSOLE_NAMES.length] ?? READ,
  )

/** Noise alone reaches these too seldom; of every fourth episode, because an upload is dear. */
const PICTURE_CALLS = ['PUT /merchant/v1/settings/:picture', 'GET /pictures/:name'] as const
const pictureCallsOf = (episode: number): readonly string[] => (episode % 4 === 0 ? PICTURE_CALLS : [])

/** The calls of one episode by their routes. Null: noise. */
const planOf = (random: SeededRandom, episode: number): (string | null)[] => {
  const ordered = random.chance(0.15) ? PAYMENT.toSorted(() => random.fraction() - 0.5) : PAYMENT
  const steps = [...ordered, ...pictureCallsOf(episode), ...consoleCallsOf(episode)]
  if (random.chance(0.1))
    steps.splice(random.between(4, Math.max(4, steps.indexOf(PAY))), 0, random.oneOf([...REPORTS]))
  if (random.chance(0.1)) steps.splice(random.between(4, steps.length - 1), 0, START)
  return steps.flatMap((route) => [...Array.from({ length: random.between(0, NOISE_MAX) }, () => null), route])
}

const routeOf = (name: string): (typeof FUZZED_ROUTES)[string] => {
  const route = FUZZED_ROUTES[name]
  if (route === undefined) throw new Error(`no such route under fuzz: ${name}`)
  return route
}

const noise = (site: FuzzSite, ids: KnownIds, random: SeededRandom): FuzzRequest => {
  if (random.chance(UNKNOWN_SHARE)) return unknownAddress(site, random)
  const routes = random.chance(DEAR_SHARE) ? DEAR_ROUTES : CHEAP_ROUTES
  const route = routes[random.between(0, routes.length - 1)] ?? READ
  const concerned = ENDS_ATTEMPT.includes(route) && !random.chance(ENDING_NOISE_SHARE) ? unknownIds(random) : ids
  const valid = routeOf(route).valid(site, concerned, random)
  return random.chance(0.2) ? valid : mutate(valid, random)
}

/** Every shopper comes from an address of their own, which a trusted proxy has named. */
const fromAddress = (request: FuzzRequest, address: string): FuzzRequest => ({
  ...request,
  headers: { 'x-forwarded-for': address, ...request.headers },
})

/** Each episode has numbers of its own: it can be repeated without those before it. */
const randomOf = (seed: number, episode: number): SeededRandom =>
  seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(episode + 1, 0x85ebca6b))

/**
 * The steps of one episode. What is drawn depends on seed and number alone; only the ids in it come from answers, by way of
 * `ids`, which the caller keeps up to date.
 */
export function* stepsOf(site: FuzzSite, seed: number, episode: number, ids: KnownIds): Generator<Step> {
  const random = randomOf(seed, episode)
  Object.assign(ids, unknownIds(random.split()))
  const address = `198.${random.between(18, 19)}.${random.between(0, 255)}.${random.between(1, 254)}`
  for (const planned of planOf(random.split(), episode)) {
    const own = random.split()
    const mutants = own.between(0, MUTANTS_MAX)
    for (let each = 0; each <= mutants; each += 1) {
      const step = own.split()
      const next = (): FuzzRequest => {
        if (planned === null) return noise(site, ids, step)
        const valid = routeOf(planned).valid(site, ids, step)
        return each < mutants ? mutate(valid, step) : valid
      }
      const request = fromAddress(next(), address)
      // Of several answers at once nobody could say which of them is that of the error page.
      const isRaw = each < mutants && step.chance(RAW_SHARE) && !isErrorPage(request)
      const nextButErrorPage = (): FuzzRequest => {
        const found = next()
        return isErrorPage(found) ? request : found
      }
      if (isRaw) yield { kind: 'raw', raw: rawRequest(request, step, nextButErrorPage) }
      else yield { kind: 'request', request }
    }
  }
}

const find = (pattern: RegExp, body: string): string | undefined => pattern.exec(body)?.[1]

/** Takes the ids out of an answer: the calls that follow then concern a checkout and an order that there are. */
export const learn = (ids: KnownIds, { status, body }: FuzzAnswer): void => {
  if (status === 201) {
    const linkId = find(/^{"id":"([a-z2-7]{32})","url":"[^"]*\/links\//, body)
    if (linkId === undefined) ids.checkoutId = find(/^{"id":"([a-z2-7]{32})"/, body) ?? ids.checkoutId
    else ids.linkId = linkId
    ids.refundId = find(/^{"refundId":"([a-z0-9-]+)"/, body) ?? ids.refundId
  }
  // Of a list, because there may be no more of them than a few. Not the one that reads what is sent: it would be removed.
  ids.webhookId = find(/"id":"(we_[a-z2-7]{32})"(?!,"mode":"\w+","url":"http:)/, body) ?? ids.webhookId
  ids.eventId = find(/^{"items":\[{"id":"(evt_[a-z2-7]{32})"/, body) ?? ids.eventId
  if (status !== 200 || !body.startsWith('{"orderCode"')) return
  ids.orderCode = find(/^{"orderCode":"([a-z2-7]{32})"/, body) ?? ids.orderCode
  ids.ticket = find(/\/collect\/([a-z0-9-]{33,64})"/, body) ?? ids.ticket
}
