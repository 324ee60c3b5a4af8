/** Routes that describe the merchant API to everybody: its OpenAPI document and its reference page. */
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { acceptedEncoding, compressDocument, VARY_BY_ENCODING, type Encoding } from '../compression.ts'
import { sendRefusal } from '../errors.ts'
import { referencePageHeaders } from '../headers.ts'
import { readHost } from '../hosts.ts'
import { SCRIPT_HASH } from '../reference/client-script.ts'
import type { JsonObject } from '../reference/json.ts'
import { completeDocument, swaggerOptions } from '../reference/openapi.ts'
import { drawReferencePage } from '../reference/reference-page.ts'
import { STYLE_HASH } from '../reference/style.ts'

interface ReferenceOptions {
  readonly publicBase: URL
  readonly release: string
  /** Drawn for the first request, it would hold up every payment for half a second. */
  readonly isDrawnFirst: boolean
}

/** Reads the routes that are registered in this scope after it. */
export const describeRoutes = async (
  scope: FastifyInstance,
  { publicBase, release }: Omit<ReferenceOptions, 'isDrawnFirst'>,
): Promise<void> => {
  await scope.register(swagger, swaggerOptions({ origin: publicBase.origin, release }))
}

const hidden = { schema: { hide: true }, config: { lane: 'files' } } as const

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Both are the same for everybody for as long as the server runs: each is made once. */
export const referenceRoutes: FastifyPluginAsync<ReferenceOptions> = async (app, { publicBase, isDrawnFirst }) => {
  const document = once((): JsonObject => completeDocument(app.swagger()))
  const documentText = once((): string => JSON.stringify(document()))
  const page = once((): string => drawReferencePage(document()))
  const compressed: Readonly<Record<Encoding, () => Promise<Buffer>>> = {
    br: once(() => compressDocument(page(), 'br')),
    gzip: once(() => compressDocument(page(), 'gzip')),
  }

  if (isDrawnFirst)
    app.addHook('onReady', async () => {
      documentText()
      await Promise.all([compressed.br(), compressed.gzip()])
    })

  app.addHook('onRequest', async (request, reply) =>
    readHost(request.headers.host, publicBase).host === 'base'
      ? undefined
      : sendRefusal(reply, refuse('invalid_api_key', {}, `The merchant API is at ${publicBase.host}.`)),
  )

  app.get(`${MERCHANT_BASE}/openapi.json`, hidden, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(documentText()),
  )

  app.get(`${MERCHANT_BASE}/reference`, hidden, async (request, reply) => {
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    reply
      .headers({ ...referencePageHeaders(STYLE_HASH, SCRIPT_HASH), ...VARY_BY_ENCODING })
      .type('text/html; charset=utf-8')
    if (encoding === undefined) return reply.send(page())
    return reply.header('content-encoding', encoding).send(await compressed[encoding]())
  })
}
