/** HTTP server: limits, error answers, headers and routes, built from the dependencies. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyInstance, type FastifySchemaCompiler } from 'fastify'
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import type { FooterFacts, ThreeDSFacts } from '#contract/page.ts'
import type { Hsts } from '../config/config.ts'
import type { ConsoleSignIn } from '../config/console.ts'
import {
  HEADER_LIMIT,
  refuseExpectations,
  refuseUnread,
  answerHalfClosed,
  limitPipelining,
  leavesMuchUnread,
  limitReadingTime,
  SLOW_REQUEST_LIMITS,
  targetProblem,
} from './limits/connection-limits.ts'
import { limitConnections } from './limits/connection-table.ts'
import { answerBadAddress, answerErrors } from './errors.ts'
import { API_HEADERS, COMMON_HEADERS, transportHeaders } from './headers.ts'
import { KEY_LIMITS, type KeyLimits } from './limits/key-limits.ts'
import { createRecentlyAcceptedKeys } from './limits/recently-accepted-keys.ts'
import { LANES, type LaneTable } from './limits/lane-table.ts'
import type { PageBuild } from './page-build.ts'
import { consoleRoutes } from './console/console-routes.ts'
import type { RunDoctor } from './console/console-route.ts'
import { withRequestId } from '../log.ts'
import type { Dependencies } from '../dependencies.ts'
import { laneRoutes } from './limits/route-lanes.ts'
import { readJsonBodies, refuseBrokenQueries } from './read-texts.ts'
import { acquirerNotificationRoutes, type FindAdyenAccount } from './routes/acquirer-notifications.ts'
import { assetRoutes } from './routes/assets.ts'
import { bridgeRoutes } from './routes/bridge.ts'
import { cspReportRoutes } from './routes/csp-reports.ts'
import { documentRoutes } from './routes/documents.ts'
import { healthRoutes } from './routes/health.ts'
import { linkPageRoutes } from './routes/link-pages.ts'
import { mailAddressRoutes } from './routes/mail-address.ts'
import { merchantRoutes } from './routes/merchant.ts'
import type { InstallationWarnings } from './routes/merchant/caller.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { referenceRoutes } from './routes/reference.ts'
import { shopperRoutes } from './routes/shopper.ts'
import { serializerCompiler } from './serializers.ts'
import type { FindStoredAsset } from './stored-assets.ts'

const REQUEST_ID = 'request-id'

const BODY_LIMIT = 64 * 1024
/** Node lets no address through that is longer; the routes themselves say what is wrong with a long one. */
const PARAM_LIMIT = HEADER_LIMIT

/** Fastify's defaults would turn "1980" into 1980 and drop unknown fields in silence; here both are refused by name. */
export const AJV_SETTINGS = {
  customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false },
}

export interface AppOptions {
  readonly deps: Dependencies
  /** Null: no pages are served. Tests and the simulator need the calls only. */
  readonly build: PageBuild | null
  readonly trustedProxies: readonly string[]
  readonly footer: FooterFacts
  readonly hsts: Hsts
  readonly timeScale: number
  readonly threeDS: ThreeDSFacts
  readonly sendsMail: boolean
  /** How people sign in to the console; by link or passkey unless given. */
  readonly consoleSignIn?: ConsoleSignIn
  readonly release: string
  /** Left out: nobody is an acquirer, and no notification is taken. */
  readonly findAdyenAccount?: FindAdyenAccount
  /** Left out: the files of this build alone are served. */
  readonly findStoredAsset?: FindStoredAsset
  /** The checks of `doctor`, for the operator in the console. Left out: there are none. */
  readonly runDoctor?: RunDoctor
  /** What this server knows of its clock, database and certificate, for the operator. Left out: nothing. */
  readonly installationWarnings?: InstallationWarnings
  /** How many calls a key may make; KEY_LIMITS unless given. */
  readonly keyLimits?: KeyLimits
  /** Whether the reference is drawn before the first request, and not when it is first asked for. */
  readonly drawsReferenceFirst?: boolean
  /** Which requests wait for which; LANES unless given. */
  readonly lanes?: LaneTable
  /** Fastify's own unless given: tests open hundreds of apps with the same validators. */
  readonly validatorCompiler?: FastifySchemaCompiler<unknown>
  /** True once the server has been told to stop: each answer ends its connection, and readyz asks for no new traffic. */
  readonly isDraining?: () => boolean
}

/** Builds the Fastify app. It listens to nothing: main.ts does. */
export const createApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { deps, build, keyLimits = KEY_LIMITS, isDraining = () => false } = options
  const { publicBase } = deps
  // The strictest policy unless a route sets its own: a redirect, a 204 and a refusal show nothing.
  const everywhere = { ...COMMON_HEADERS, ...API_HEADERS, ...transportHeaders(publicBase, options.hsts) }
  // Never taken from the caller, who could write into our log or give two requests the same id.
  const freshRequestId = (): string => deps.random.id()
  const headersUnrouted = () => ({ ...everywhere, [REQUEST_ID]: freshRequestId() })
  const app = fastify({
    logger: false,
    // Fastify would give up after ten seconds, which a starved machine takes to draw the reference: a late start is not a failed one.
    pluginTimeout: 0,
    genReqId: freshRequestId,
    bodyLimit: BODY_LIMIT,
    requestTimeout: SLOW_REQUEST_LIMITS.requestTimeout,
    // Without a Host header Node itself would answer a bare 400; `targetProblem` refuses it under our headers.
    http: { ...SLOW_REQUEST_LIMITS, maxHeaderSize: HEADER_LIMIT, requireHostHeader: false },
    clientErrorHandler: refuseUnread(headersUnrouted),
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAM_LIMIT },
    frameworkErrors: (_error, request, reply) => {
      answerBadAddress(request.url, reply.headers({ ...everywhere, [REQUEST_ID]: request.id }))
    },
    ajv: AJV_SETTINGS,
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setSerializerCompiler(serializerCompiler)
  if (options.validatorCompiler !== undefined) app.setValidatorCompiler(options.validatorCompiler)
  readJsonBodies(app, 'refused')
  answerErrors(app, deps.log)

  refuseExpectations(app.server, headersUnrouted)
  answerHalfClosed(app.server)
  limitPipelining(app.server)
  const connections = limitConnections(app.server, options.trustedProxies)
  // After the body was read: reading it leaves the async context that an earlier hook would have set.
  app.addHook('preValidation', (request, _reply, done) => withRequestId(request.id, done))
  refuseBrokenQueries(app)
  // Callbacks, not async functions: a promise in each hook would cost every request a turn of the microtask queue.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere).header(REQUEST_ID, request.id)
    const problem = targetProblem(request.raw)
    if (problem === undefined) done()
    else reply.code(400).type('text/plain; charset=utf-8').send(`${problem}\n`)
  })
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  // A connection that was busy when closing began and is then kept alive holds the process for another 72 seconds.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { socket } = request.raw
    if (isClosing || isDraining() || connections.isEnding(socket) || leavesMuchUnread(request.raw))
      reply.header('connection', 'close')
    limitReadingTime(reply.raw)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const route = routeOptions.url ?? '(no route)'
    const ms = Math.round(reply.elapsedTime)
    deps.log.answered({ method, route, status: reply.statusCode, ms, request: request.id })
    done()
  })

  const recentlyAcceptedKeys = createRecentlyAcceptedKeys()
  const lanes = laneRoutes(app, deps, { table: options.lanes ?? LANES, connections })
  await app.register(healthRoutes, { deps, isDraining })
  await app.register(shopperRoutes, { deps, lanes, prefix: SHOPPER_BASE })
  const { installationWarnings = async () => [] } = options
  const limited = { keyLimits, lanes, recentlyAcceptedKeys }
  await app.register(merchantRoutes, { deps, ...limited, installationWarnings, prefix: MERCHANT_BASE })
  const { runDoctor = async () => [], consoleSignIn: signIn = 'link', sendsMail } = options
  await app.register(consoleRoutes, { deps, lanes, runDoctor, settings: { signIn, sendsMail }, prefix: CONSOLE_BASE })
  const { release, drawsReferenceFirst: isDrawnFirst = false } = options
  await app.register(referenceRoutes, { publicBase, release, isDrawnFirst })
  await app.register(bridgeRoutes, { deps })
  await app.register(pictureRoutes, { deps })
  await app.register(mailAddressRoutes, { deps })
  await app.register(linkPageRoutes, { deps })
  const { findAdyenAccount } = options
  if (findAdyenAccount !== undefined) await app.register(acquirerNotificationRoutes, { deps, findAdyenAccount })
  if (build !== null) {
    const { findStoredAsset = async () => null } = options
    await app.register(assetRoutes, { build, findStoredAsset })
    await app.register(cspReportRoutes, { log: deps.log, elapsed: deps.elapsed })
    await app.register(documentRoutes, { ...options, lanes, build })
  }
  return app
}
