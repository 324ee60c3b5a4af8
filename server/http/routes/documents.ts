/** Routes of the shopper's page: redirects by status, documents, preview, not found. */
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { toPageLocale, type PageLocale } from '#contract/locale.ts'
import type { FooterFacts, InlinedData, PageAddress, ShopFacts, ThreeDSFacts } from '#contract/page.ts'
import { beginsWithCardForm, isScreen, isScreenForStatus, screenForStatus } from '#contract/screens.ts'
import { acceptedEncoding, compressDocument, VARY_BY_ENCODING } from '../compression.ts'
import { PREVIEW_QUERY_MAX } from '../limits/connection-limits.ts'
import { drawDocument, newNonce } from '../pages/document.ts'
import { drawnOnce, type ErrorPath } from '../pages/error-pages.ts'
import { isCallersFault } from '../errors.ts'
import { documentHeaders, previewHeaders } from '../headers.ts'
import type { AboutPage } from '../pages/about-page-words.ts'
import { drawAboutPage } from '../pages/about-pages.ts'
import { errorFacts } from '../../log.ts'
import { merchantOfDocument, merchantOfErrorPage, readHost, type HostRole } from '../hosts.ts'
import { sendUnavailable } from '../limits/load-shedding.ts'
import type { PageBuild } from '../page-build.ts'
import {
  PARAMETERS_MAX,
  hasTooManyParameters,
  isQueryTooLong,
  localeInQuery,
  queryToRepeat,
  searchOf,
} from '../query.ts'
import { visitorLocaleOf } from '../pages/visitor-locale.ts'
import { isId } from '../../ids.ts'
import { merchantOrigin } from '../../origins.ts'
import type { Dependencies } from '../../dependencies.ts'
import { presentCheckout, presentShop } from '../present-checkout.ts'
import { readAfterInquiry } from '../../operations/read-checkout.ts'
import { DatabaseUnavailable } from '../../store/engine/database.ts'

export interface DocumentOptions {
  readonly deps: Dependencies
  readonly build: PageBuild
  readonly footer: FooterFacts
  readonly timeScale: number
  readonly threeDS: ThreeDSFacts
  readonly sendsMail: boolean
  readonly release: string
}

const pages = { config: { lane: 'pages' } } as const

const languageOf = (request: FastifyRequest, checkout: CheckoutAnswer | null): PageLocale => {
  const asked = localeInQuery(searchOf(request))
  if (asked !== undefined) return asked
  return toPageLocale(checkout?.locale) ?? visitorLocaleOf(request)
}

const sendHtml = async (request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> => {
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  reply.headers(VARY_BY_ENCODING).type('text/html; charset=utf-8')
  if (encoding === undefined) return reply.send(html)
  return reply.header('content-encoding', encoding).send(await compressDocument(html, encoding))
}

/** The shopper's page, drawn on the server with its checkout inside. The host alone names the merchant. */
export const documentRoutes: FastifyPluginAsync<DocumentOptions> = async (app, options) => {
  const { deps, build } = options
  const { publicBase } = deps

  const draw = (
    address: PageAddress,
    checkout: CheckoutAnswer | null,
    locale: PageLocale,
    nonce: string,
    more: Pick<InlinedData, 'shop' | 'preview'> = {},
  ): Promise<string> => {
    const { timeScale, threeDS, footer, sendsMail, release } = options
    const page = { checkout, locale, now: deps.clock.now(), timeScale, threeDS, footer, sendsMail, release, ...more }
    return drawDocument(build, address, page, nonce)
  }
  /** Every address that a page leads to: a browser that knows the allowlist follows no other link. */
  const linkedFrom = (shown: (ShopFacts & Partial<Pick<CheckoutAnswer, 'links'>>) | null): string[] => {
    const { aboutUrl, privacyUrl } = options.footer
    const { cancelUrl = '', redirectUrl = '' } = shown?.links ?? {}
    return [aboutUrl, privacyUrl, cancelUrl, redirectUrl, shown?.receipt.shopUrl ?? '']
  }

  const drawError = drawnOnce((path, locale, nonce, shop) =>
    draw({ path, search: '' }, null, locale, nonce, shop === null ? {} : { shop }),
  )

  const sendPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    checkout: CheckoutAnswer | null,
    headersFor = (nonce: string) => documentHeaders(nonce, publicBase, linkedFrom(checkout)),
    more: Pick<InlinedData, 'preview'> = {},
  ): Promise<FastifyReply> => {
    const nonce = newNonce()
    const address = { path, search: searchOf(request) }
    const html = await draw(address, checkout, languageOf(request, checkout), nonce, more)
    return sendHtml(request, reply.headers(headersFor(nonce)), html)
  }

  const sendError = async (request: FastifyRequest, reply: FastifyReply, path: ErrorPath): Promise<FastifyReply> => {
    const nonce = newNonce()
    const merchant = merchantOfErrorPage(deps.findMerchant, readHost(request.headers.host, publicBase))
    const shop = merchant === null ? null : presentShop(merchant.settings)
    const html = await drawError(path, languageOf(request, null), nonce, shop)
    reply.code(path === '/404' ? 404 : 500).headers(documentHeaders(nonce, publicBase, linkedFrom(shop)))
    return sendHtml(request, reply, html)
  }

  const redirect = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply =>
    reply
      .code(303)
      .header('cache-control', 'no-store')
      .header('location', path + queryToRepeat(searchOf(request)))
      .send()

  const notFound = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendError(request, reply, '/404')

  const findCheckout = async (host: HostRole, checkoutId: string): Promise<CheckoutAnswer | null> => {
    if (!isId(checkoutId)) return null
    const merchant = await merchantOfDocument(deps.findMerchant, host)
    if (merchant === null) return null
    const reading = await readAfterInquiry(deps, { merchantId: merchant.id, checkoutId })
    if (reading === null) return null
    const checkout = presentCheckout(reading, merchant.settings)
    // A form that can no longer be paid: the shopper would type a card number for nothing.
    return merchant.closedAt !== null && beginsWithCardForm('/creditcard', checkout) ? null : checkout
  }

  // No page of ours needs such a query, and drawing a page would parse it several times.
  app.addHook('preHandler', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (/^\/preview\/?$/.test(path) || !isQueryTooLong(searchOf(request))) return undefined
    // A path that begins with two slashes names another host.
    return redirect(request, reply, /^\/[\w./-]*$/.test(path) && !path.startsWith('//') ? path : '/404')
  })

  const aboutPage = (page: AboutPage) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (readHost(request.headers.host, publicBase).host !== 'base') return notFound(request, reply)
    const nonce = newNonce()
    const html = drawAboutPage(page, languageOf(request, null), nonce)
    return sendHtml(request, reply.headers(documentHeaders(nonce, publicBase, [])), html)
  }
  app.get('/', pages, aboutPage('about'))
  app.get('/about', pages, aboutPage('about'))
  app.get('/privacy', pages, aboutPage('privacy'))
  app.get('/404', pages, notFound)
  app.get('/500', pages, (request, reply) => sendError(request, reply, '/500'))
  for (const path of ['/404', '/500']) app.get(`${path}/`, pages, (request, reply) => redirect(request, reply, path))

  /** Made from its query alone: no checkout is read, and none of the merchant's settings is told. */
  const preview = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const merchant = await merchantOfDocument(deps.findMerchant, readHost(request.headers.host, publicBase))
    if (merchant === null) return notFound(request, reply)
    const search = searchOf(request)
    if (search.length > PREVIEW_QUERY_MAX || hasTooManyParameters(search)) {
      return reply
        .code(414)
        .type('text/plain; charset=utf-8')
        .send(
          `This preview's address is too long: it may carry ${PREVIEW_QUERY_MAX} characters and ${PARAMETERS_MAX} parameters. Shorten its texts.\n`,
        )
    }
    const facts = { origin: merchantOrigin(publicBase, merchant.label), visitorLocale: visitorLocaleOf(request) }
    return sendPage(request, reply, '/preview', null, previewHeaders, { preview: facts })
  }
  app.get('/preview', pages, preview)
  app.get('/preview/', pages, (request, reply) =>
    // A preview's query may be longer than a redirect can repeat.
    isQueryTooLong(searchOf(request)) ? preview(request, reply) : redirect(request, reply, '/preview'),
  )

  app.get<{ Params: { checkoutId: string; '*'?: string } }>('/:checkoutId/*', pages, async (request, reply) => {
    const { checkoutId, '*': screen = '' } = request.params
    if (!isId(checkoutId)) return notFound(request, reply)
    if (screen.endsWith('/') && isScreen(screen.slice(0, -1)))
      return redirect(request, reply, `/${checkoutId}/${screen.slice(0, -1)}`)
    if (screen !== '' && !isScreen(screen)) return notFound(request, reply)
    const checkout = await findCheckout(readHost(request.headers.host, publicBase), checkoutId)
    if (checkout === null) return redirect(request, reply, '/404')
    if (screen === '') return redirect(request, reply, `/${checkoutId}/${screenForStatus(checkout.status)}`)
    if (!isScreenForStatus(screen, checkout.status)) return redirect(request, reply, `/${checkoutId}`)
    return sendPage(request, reply, `/${checkoutId}/${screen}`, checkout)
  })

  app.get<{ Params: { checkoutId: string } }>('/:checkoutId', pages, async (request, reply) => {
    const { checkoutId } = request.params
    if (!isId(checkoutId)) return notFound(request, reply)
    const checkout = await findCheckout(readHost(request.headers.host, publicBase), checkoutId)
    if (checkout === null) return redirect(request, reply, '/404')
    return redirect(request, reply, `/${checkoutId}/${screenForStatus(checkout.status)}`)
  })

  app.setNotFoundHandler(notFound)

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (isCallersFault(error))
      return reply
        .code(error.statusCode ?? 400)
        .type('text/plain; charset=utf-8')
        .send('This request cannot be read.\n')
    if (error instanceof DatabaseUnavailable) return sendUnavailable(reply, 'page')
    deps.log.error('a page could not be drawn', { call: request.routeOptions.url ?? '', ...errorFacts(error) })
    return sendError(request, reply, '/500')
  })
}
