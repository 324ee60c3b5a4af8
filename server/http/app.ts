/** HTTP server: limits, error answers, headers and routes, as a function of its parts. */
import type { Socket } from 'node:net'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyInstance } from 'fastify'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import type { FooterFacts, ThreeDSFacts } from '#contract/page.ts'
import type { Hsts } from '../config/config.ts'
import { answerBadAddress, answerErrors } from './errors.ts'
import { API_HEADERS, COMMON_HEADERS, transportHeaders } from './headers.ts'
import type { PageBuild } from './page-build.ts'
import type { Parts } from '../parts.ts'
import { assetRoutes } from './routes/assets.ts'
import { bridgeRoutes } from './routes/bridge.ts'
import { cspReportRoutes } from './routes/csp-reports.ts'
import { documentRoutes, PREVIEW_QUERY_MAX } from './routes/documents.ts'
import { healthRoutes } from './routes/health.ts'
import { merchantRoutes } from './routes/merchant.ts'
import { shopperRoutes } from './routes/shopper.ts'

const BODY_LIMIT = 64 * 1024
const REQUEST_TIMEOUT_MS = 10_000
/** Node counts the address as a header. The longest preview and a browser's other headers must fit in. */
const HEADER_LIMIT = PREVIEW_QUERY_MAX + 16 * 1024
/** Node lets no address through that is longer; the routes themselves say what is wrong with a long one. */
const PARAM_LIMIT = HEADER_LIMIT
/** How long what a refused caller goes on sending is thrown away: closed at once, it would see a reset and no answer. */
const REFUSED_LINGER_MS = 2000

export interface AppOptions {
  readonly parts: Parts
  /** Null where only the calls are wanted: tests and the simulator draw no pages. */
  readonly build: PageBuild | null
  readonly trustedProxies: readonly string[]
  readonly footer: FooterFacts
  readonly hsts: Hsts
  readonly timeScale: number
  readonly threeDS: ThreeDSFacts
  readonly release: string
}

/** What the server is, as a function of its parts. How it runs is main.ts. */
export const createApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { parts, build } = options
  const { publicBase } = parts
  const everywhere = { ...COMMON_HEADERS, ...transportHeaders(publicBase, options.hsts) }
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: HEADER_LIMIT },
    clientErrorHandler: refuseUnread({ ...everywhere, ...API_HEADERS }),
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAM_LIMIT },
    frameworkErrors: (_error, request, reply) => {
      answerBadAddress(request.url, reply.headers(everywhere))
    },
    // Fastify's defaults would turn "1980" into 1980 and drop unknown fields in silence; here both are refused by name.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false } },
  }).withTypeProvider<TypeBoxTypeProvider>()

  acceptJsonAlone(app)
  answerErrors(app, parts.log)

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(everywhere)
  })
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  // A connection that was busy when closing began and is then kept alive holds the process for another 72 seconds.
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const route = routeOptions.url ?? '(no route)'
    parts.log.answered({ method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) })
  })

  await app.register(healthRoutes, { parts })
  await app.register(shopperRoutes, { parts, prefix: SHOPPER_BASE })
  await app.register(async (scope) => {
    await scope.register(swagger, openApi(options))
    await scope.register(merchantRoutes, { parts, prefix: MERCHANT_BASE })
    scope.get(`${MERCHANT_BASE}/openapi.json`, { schema: { hide: true } }, async (_request, reply) =>
      reply.headers(API_HEADERS).send(scope.swagger()),
    )
  })
  await app.register(bridgeRoutes, { parts })
  if (build !== null) {
    await app.register(assetRoutes, { build })
    await app.register(cspReportRoutes, { log: parts.log })
    await app.register(documentRoutes, { ...options, build })
  }
  return app
}

const UNREAD: Readonly<Record<string, readonly [status: string, words: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '414 URI Too Long',
    `The address is too long: with all headers it may have ${HEADER_LIMIT} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time. Send it again.'],
}
const UNREADABLE = ['400 Bad Request', 'This is no request that can be read.'] as const

/** What Node refuses reaches no route; the caller is still told why, in plain words. */
const refuseUnread =
  (headers: Readonly<Record<string, string>>) =>
  ({ code }: { readonly code?: string }, socket: Socket): void => {
    if (code === 'ECONNRESET' || !socket.writable) {
      // Ended by us: the rest of a refused request is still coming in.
      if (!socket.writableEnded) socket.destroy()
      return
    }
    const [status, words] = UNREAD[code ?? ''] ?? UNREADABLE
    const lines = Object.entries({
      ...headers,
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(words.length + 1),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${words}\n`)
    setTimeout(() => socket.destroy(), REFUSED_LINGER_MS).unref()
  }

/** HTTP clients differ in how they send "nothing" with Content-Type: application/json. No other type is read. */
const acceptJsonAlone = (app: FastifyInstance): void => {
  // A form of another site can send text/plain without asking; it gets no further than its content type.
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (typeof body === 'string' && body.trim() === '') done(null, null)
    else void parse(request, String(body), done)
  })
}

const openApi = ({ release, parts }: AppOptions): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Kaikei merchant API', version: release },
    servers: [{ url: parts.publicBase.origin }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'sk_test_… or sk_live_…' } } },
    security: [{ key: [] }],
  },
})
