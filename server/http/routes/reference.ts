/** Routes that describe the merchant API to everybody: its OpenAPI document and its reference page. */
import type { FastifyPluginAsync } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { acceptedEncoding, compressDocument, VARY_BY_ENCODING, type Encoding } from '../compression.ts'
import { sendRefusal } from '../errors.ts'
import { referencePageHeaders } from '../headers.ts'
import { readHost } from '../hosts.ts'
import { SCRIPT_HASH } from '../reference/client-script.ts'
import { openApiDocument } from '../reference/openapi.ts'
import { drawReferencePage } from '../reference/reference-page.ts'
import { STYLE_HASH } from '../reference/style.ts'

interface ReferenceOptions {
  readonly publicBase: URL
  readonly release: string
  /** True: drawn at the start. Drawn at the first request, it would delay every payment by half a second. */
  readonly isDrawnFirst: boolean
}

const files = { config: { lane: 'files' } } as const

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Each is made once: it is the same for everybody while the server runs. */
export const referenceRoutes: FastifyPluginAsync<ReferenceOptions> = async (app, options) => {
  const { publicBase, release, isDrawnFirst } = options
  const facts = { origin: publicBase.origin, release }
  const documentText = once((): string => JSON.stringify(openApiDocument(facts)))
  const page = once((): string => drawReferencePage(facts))
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

  app.get(`${MERCHANT_BASE}/openapi.json`, files, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(documentText()),
  )

  app.get(`${MERCHANT_BASE}/reference`, files, async (request, reply) => {
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    reply
      .headers({ ...referencePageHeaders(STYLE_HASH, SCRIPT_HASH), ...VARY_BY_ENCODING })
      .type('text/html; charset=utf-8')
    if (encoding === undefined) return reply.send(page())
    return reply.header('content-encoding', encoding).send(await compressed[encoding]())
  })
}
