/** Readings of the proof of lists: every call that reads for a shop or for the operator, and every round of the worker. */
import type { FastifyInstance } from 'fastify'
import { MERCHANT_ROUTES, type MerchantCallName } from '#contract/access.ts'
import { CONSOLE_BASE, CONSOLE_ROUTES, type ConsoleCallName } from '#contract/console/paths.ts'
import { purgeOld } from '../../server/background/purge-old.ts'
import { readDisputes } from '../../server/background/read-disputes.ts'
import { sumDayFigures } from '../../server/background/sum-day-figures.ts'
import { putBackReadableSettings, setAsideUnreadableSettings } from '../../server/background/unreadable-settings.ts'
import { findNotificationsDue } from '../../server/operations/handle-notification.ts'
import { checkoutPages } from '../../server/operations/list-checkouts.ts'
import { openSetup } from '../../server/operations/people/operator-people.ts'
import { findInquiriesDue, findPastDeadline } from '../../server/store/checkout/due-checkouts.ts'
import type { Database, Sql } from '../../server/store/engine/database.ts'
import { text, type OnUnreadable } from '../../server/store/engine/columns.ts'
import { countPendingOfLink } from '../../server/store/checkout/reusable-links.ts'
import type { Queue } from '../../server/store/merchant/set-aside.ts'
import { findUntoldNotices } from '../../server/store/outbox/endpoint-notices.ts'
import { fanOut } from '../../server/store/outbox/fan-out.ts'
import { findSummaryHours } from '../../server/store/outbox/notification-hours.ts'
import { findPersonMailsDue } from '../../server/store/people/person-mails.ts'
import { findMailsDue } from '../../server/store/outbox/mail-claims.ts'
import { findDueEndpoints } from '../../server/store/outbox/deliveries.ts'
import { readBacklog } from '../../server/store/reports/metrics.ts'
import { movementPages } from '../../server/store/reports/movements.ts'
import { BENCH_ENDPOINT, MADE_AT, MEASURED_AT, type GrowthServer } from '../filled-database/filled-database.ts'
import { CONSOLE_HOST, openConsoleBrowser } from '../harness/console-browser.ts'
import { API_KEYS, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { describeFilters, eventFilters, pairsOf, type Filters } from './filters.ts'
import { LINK } from './prepare.ts'

type MerchantReading = {
  [Name in MerchantCallName]: (typeof MERCHANT_ROUTES)[Name]['method'] extends 'GET' ? Name : never
}[MerchantCallName]

/** What each reading is asked for. `null`: it is measured elsewhere, or reads nothing that grows. A new call does not compile without a line. */
type Asked = readonly Filters[] | null

const ONCE: Asked = [{}]

const merchantReadings = (checkouts: number, eventId: string): Readonly<Record<MerchantReading, Asked>> => ({
  readMerchantCheckout: ONCE,
  // With all its filters, in prove.ts.
  listCheckouts: ONCE,
  readTimeline: ONCE,
  drawQrCode: ONCE,
  readReusableLink: ONCE,
  listReusableLinks: ONCE,
  drawLinkQrCode: ONCE,
  listCheckoutRefunds: ONCE,
  readRefund: ONCE,
  listRefunds: ONCE,
  listReconciliations: ONCE,
  readReconciliation: null,
  readAttention: ONCE,
  readMe: ONCE,
  readSettings: ONCE,
  listWebhooks: ONCE,
  readWebhook: ONCE,
  listDeliveries: ONCE,
  listEvents: [{}, ...pairsOf(eventFilters(checkouts, eventId))],
  // The first piece of two of them is below; each reads as many pieces as the shop has rows. Figures: figures.ts.
  exportMovements: null,
  exportCheckouts: null,
  readSummary: null,
  readFigures: null,
  exportFigures: null,
})

/** Changes and sign-ins read by a key of their own. */
const CONSOLE_READINGS: Readonly<Partial<Record<ConsoleCallName, readonly Filters[]>>> = {
  readSession: [{}],
  listSessions: [{}],
  listPasskeys: [{}],
  listPeople: [{}],
  listKeys: [{}],
  listAudit: [{}],
  listShops: [{}],
  listDoubts: [{}],
  listInstallationAudit: [{}],
  listSetAside: [{}],
  listOutbox: [
    {},
    ...pairsOf({
      shop: { many: 'tea', few: null, none: 'books' },
      state: { many: 'waiting', few: null, none: null, also: ['failed'] },
    }),
  ],
}

/** Console calls that read and have no line above. */
export const unmeasuredConsoleReadings = (): string[] =>
  Object.entries(CONSOLE_ROUTES).flatMap(([name, { method }]) =>
    method === 'GET' && !Object.hasOwn(CONSOLE_READINGS, name) ? [name] : [],
  )

/** One thing to measure; answers where the next page begins. */
export interface Reading {
  readonly name: string
  run(after: string | null): Promise<string | null>
}

const get =
  (app: FastifyInstance, path: string, headers: Readonly<Record<string, string>>) =>
  (filters: Filters) =>
  async (after: string | null): Promise<string | null> => {
    const query = new URLSearchParams({ ...filters, ...(after === null ? {} : { after }) })
    const answer = await app.inject({ url: `${path}?${query}`, headers })
    if (answer.statusCode !== 200)
      throw new Error(`${path}?${query}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    return answer.headers['content-type']?.toString().includes('json') === true
      ? (answer.json<{ after?: string | null }>().after ?? null)
      : null
  }

const withParams = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'x'))

const KEY = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }

/** The list of checkouts, as a shop asks for it. */
export const listOf = (app: FastifyInstance): ((filters: Filters) => Reading['run']) =>
  get(app, '/merchant/v1/checkouts', KEY)

const idsIn = async (database: Database): Promise<Readonly<Record<string, string>>> => {
  const idOf = async (statement: string): Promise<string> => text((await database.rows(statement))[0] ?? {}, 'id')
  return {
    checkoutId: await idOf('SELECT checkout_id AS id FROM refunds LIMIT 1'),
    refundId: 'r1',
    linkId: await idOf('SELECT id FROM reusable_links LIMIT 1'),
    webhookId: BENCH_ENDPOINT.id,
    eventId: await idOf(
      `SELECT id FROM events WHERE merchant_id = '${TEA_MERCHANT.id}' AND id LIKE 'evt_%' AND fanned_out_at > 0 LIMIT 1`,
    ),
  }
}

/** The headers of somebody who has signed in. */
export type Session = Readonly<Record<string, string>>

/** An owner of the shop, who is an operator too. */
export const signIn = async ({ app, deps }: GrowthServer): Promise<Session> => {
  const token = await openSetup(deps, TEA_MERCHANT.id)
  const owner = openConsoleBrowser(app)
  await owner.done('consumeLink', { body: { token, email: 'owner@example.com', name: 'Aoyama' } })
  await owner.enrol()
  await deps.database.rows('UPDATE people SET is_operator = 1')
  const cookie = [...owner.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  return { host: CONSOLE_HOST, 'sec-fetch-site': 'same-origin', merchant: 'tea', cookie }
}

/** Every call that reads, but for the filters of the list of checkouts. */
export const callsThatRead = async (
  server: GrowthServer,
  session: Session,
  checkouts: number,
): Promise<readonly Reading[]> => {
  const ids = await idsIn(server.deps.database)
  const readings = (
    base: string,
    headers: Readonly<Record<string, string>>,
    routes: Readonly<Record<string, { readonly path: string }>>,
    asked: Readonly<Record<string, Asked | undefined>>,
    more: Filters,
  ): Reading[] =>
    Object.entries(asked).flatMap(([name, all]) =>
      (all ?? []).map((filters) => ({
        name: `${name} ${describeFilters(filters)}`.trim(),
        run: get(
          server.app,
          base + withParams(routes[name]?.path ?? '', ids),
          headers,
        )(name.startsWith('list') && name !== 'listWebhooks' ? { ...more, ...filters } : filters),
      })),
    )
  return [
    ...readings('/merchant/v1', KEY, MERCHANT_ROUTES, merchantReadings(checkouts, ids['eventId'] ?? ''), {
      limit: '100',
    }),
    ...readings(CONSOLE_BASE, session, CONSOLE_ROUTES, CONSOLE_READINGS, {}),
  ]
}

const SCOPE = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const
const AT_ONCE = 50

type FindDue = (sql: Sql, now: number, limit: number, onUnreadable: OnUnreadable) => Promise<unknown>

/** What the worker looks for in each queue. `null`: it is read by a round of its own. */
const DUE_OF: Readonly<Record<Queue, FindDue | null>> = {
  notifications: findNotificationsDue,
  inquiries: findInquiriesDue,
  deadlines: findPastDeadline,
  notices: findUntoldNotices,
  summaries: findSummaryHours,
  mails: findMailsDue,
  person_mails: findPersonMailsDue,
  deliveries: findDueEndpoints,
  events: null,
  disputes: null,
  figures: null,
  endpoints: null,
  accounts: null,
  shops: null,
}

/** The metrics. */
export const scrapeOf = ({ deps }: GrowthServer): Reading => ({
  name: 'metrics',
  run: async () => readBacklog(deps.database, MEASURED_AT).then(() => null),
})

/** What the worker reads while nobody calls, and the first pieces of exports. */
export const roundsOf = ({ deps }: GrowthServer): readonly Reading[] => {
  const { database } = deps
  const atOnce = (): Promise<void> => Promise.resolve()
  const all = { from: MADE_AT, to: MEASURED_AT }
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'claim of a link with a limit': () => countPendingOfLink(database, { ...SCOPE, id: LINK.few }, AT_ONCE),
    'worker: what is old': () => purgeOld(deps),
    'worker: figures of days': () => sumDayFigures(deps),
    'worker: disputes': () => readDisputes(deps),
    'worker: settings that cannot be read': () => setAsideUnreadableSettings(deps),
    'worker: settings that can be read again': () => putBackReadableSettings(deps),
    'webhooks: events that no endpoint has yet': () => fanOut(database, MEASURED_AT),
    'first piece of an export of movements': () => movementPages(database, SCOPE, all, atOnce).next(),
    'first piece of an export of checkouts': () =>
      checkoutPages(deps, SCOPE, { filters: {}, terms: null }, atOnce).next(),
  }
  const dues = Object.entries(DUE_OF).flatMap(([queue, find]) =>
    find === null
      ? []
      : [[`worker: due ${queue}`, () => find(database, MEASURED_AT, AT_ONCE, () => undefined)] as const],
  )
  return [...dues, ...Object.entries(works)].map(([name, work]) => ({
    name,
    run: async () => work().then(() => null),
  }))
}
