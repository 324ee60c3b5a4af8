/** Sending pages: draws a page in the visitor's language, with its headers and compressed. Error pages and redirects too. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { toPageLocale, type PageLocale } from '#contract/locale.ts'
import type { FooterFacts, InlinedData, PageAddress, ShopFacts, ThreeDSFacts } from '#contract/page.ts'
import type { Dependencies } from '../../dependencies.ts'
import { acceptedEncoding, compressDocument, VARY_BY_ENCODING } from '../compression.ts'
import { documentHeaders } from '../headers.ts'
import { merchantOfErrorPage, readHost } from '../hosts.ts'
import type { PageBuild } from '../page-build.ts'
import { presentShop } from '../present-checkout.ts'
import { localeInQuery, queryToRepeat, searchOf } from '../query.ts'
import { drawDocument, newNonce } from './document.ts'
import { drawnOnce, type ErrorPath } from './error-pages.ts'
import { visitorLocaleOf } from './visitor-locale.ts'

export interface DocumentOptions {
  readonly deps: Dependencies
  readonly build: PageBuild
  readonly footer: FooterFacts
  readonly timeScale: number
  readonly threeDS: ThreeDSFacts
  readonly sendsMail: boolean
  readonly release: string
}

/** The options of every route that draws a page. */
export const PAGE_ROUTE = { config: { lane: 'pages' } } as const

/** The language of a page: that of its address, of its checkout, or of the visitor's browser. */
export const languageOf = (request: FastifyRequest, checkout: CheckoutAnswer | null = null): PageLocale =>
  localeInQuery(searchOf(request)) ?? toPageLocale(checkout?.locale) ?? visitorLocaleOf(request)

export const sendHtml = async (request: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> => {
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  reply.headers(VARY_BY_ENCODING).type('text/html; charset=utf-8')
  if (encoding === undefined) return reply.send(html)
  return reply.header('content-encoding', encoding).send(await compressDocument(html, encoding))
}

/** With the query of the request, but for what must not be repeated. */
export const redirect = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply =>
  reply
    .code(303)
    .header('cache-control', 'no-store')
    .header('location', path + queryToRepeat(searchOf(request)))
    .send()

/** One page to draw, at a path of ours. */
interface PageToSend {
  readonly path: string
  readonly checkout: CheckoutAnswer | null
  readonly preview?: InlinedData['preview']
  /** Those of a page that takes a card unless given. */
  readonly headersFor?: (nonce: string) => Readonly<Record<string, string>>
}

export interface PageSender {
  sendPage(request: FastifyRequest, reply: FastifyReply, page: PageToSend): Promise<FastifyReply>
  sendError(request: FastifyRequest, reply: FastifyReply, path: ErrorPath): Promise<FastifyReply>
}

export const createPageSender = (options: DocumentOptions): PageSender => {
  const { deps, build, timeScale, threeDS, footer, sendsMail, release } = options
  const { publicBase } = deps

  const draw = (
    address: PageAddress,
    shown: Pick<InlinedData, 'checkout' | 'locale' | 'shop' | 'preview'>,
    nonce: string,
  ): Promise<string> => {
    const { checkout, locale, ...more } = shown
    const page = { checkout, locale, now: deps.clock.now(), timeScale, threeDS, footer, sendsMail, release, ...more }
    return drawDocument(build, address, page, nonce)
  }

  const drawError = drawnOnce((path, locale, nonce, shop) =>
    draw({ path, search: '' }, { checkout: null, locale, ...(shop === null ? {} : { shop }) }, nonce),
  )

  /** Headers that name every address a page leads to: a browser that knows the allowlist follows no other link. */
  const headersOf = (nonce: string, shown: (ShopFacts & Partial<Pick<CheckoutAnswer, 'links'>>) | null) => {
    const { cancelUrl = '', redirectUrl = '' } = shown?.links ?? {}
    const linked = [footer.aboutUrl, footer.privacyUrl, cancelUrl, redirectUrl, shown?.receipt.shopUrl ?? '']
    return documentHeaders(nonce, publicBase, linked)
  }

  return {
    sendPage: async (request, reply, { path, checkout, preview, headersFor }) => {
      const nonce = newNonce()
      const address = { path, search: searchOf(request) }
      const shown = { checkout, locale: languageOf(request, checkout), ...(preview === undefined ? {} : { preview }) }
      const html = await draw(address, shown, nonce)
      return sendHtml(request, reply.headers(headersFor?.(nonce) ?? headersOf(nonce, checkout)), html)
    },
    sendError: async (request, reply, path) => {
      const nonce = newNonce()
      const merchant = merchantOfErrorPage(deps.findMerchant, readHost(request.headers.host, publicBase))
      const shop = merchant === null ? null : presentShop(merchant.settings)
      const html = await drawError(path, languageOf(request), nonce, shop)
      return sendHtml(request, reply.code(path === '/404' ? 404 : 500).headers(headersOf(nonce, shop)), html)
    },
  }
}
