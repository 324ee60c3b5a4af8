/** Routes of the shopper's page: redirects by status, documents, preview, not found. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import {
  DEFAULT_PAGE_LOCALE,
  firstLanguage,
  isPageLocale,
  matchLanguage,
  toPageLocale,
  type PageLocale,
} from '#contract/locale.ts'
import type { FooterFacts, ThreeDSFacts } from '#contract/page.ts'
import { isScreen, isScreenForStatus, screenForStatus } from '#contract/screens.ts'
import { holdsCardNumber, looksLikeSecurityCode } from '#payment/card-number-detector.ts'
import { drawDocument, newNonce } from '../document.ts'
import { API_HEADERS, documentHeaders, previewHeaders } from '../headers.ts'
import { drawHome } from '../home-page.ts'
import { errorFacts } from '../../log.ts'
import { merchantOfDocument, readHost, type HostRole } from '../hosts.ts'
import type { PageBuild } from '../page-build.ts'
import { isId } from '../../ids.ts'
import type { Parts } from '../../parts.ts'
import { presentCheckout } from '../present.ts'
import { readCheckout } from '../../operations/read-checkout.ts'

export interface DocumentOptions {
  readonly parts: Parts
  readonly build: PageBuild
  readonly footer: FooterFacts
  readonly timeScale: number
  readonly threeDS: ThreeDSFacts
  readonly release: string
}

/** A preview's texts and small pictures travel in its query. */
export const PREVIEW_QUERY_MAX = 16 * 1024

const searchOf = ({ url }: FastifyRequest): string => {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark)
}

/** Sent back, a card number or its code would stand in the browser's history and in a proxy's log once more. */
const withoutCard = (search: string): string => {
  const parameters = search.slice(1).split('&')
  const anyOf = (parameter: string, holds: (word: string) => boolean): boolean =>
    [...new URLSearchParams(parameter)].flat().some(holds)
  const kept = parameters.filter((parameter) => !anyOf(parameter, holdsCardNumber))
  if (kept.length === parameters.length) return search
  // Beside a card number, three or four digits are its security code.
  const harmless = kept.filter((parameter) => !anyOf(parameter, looksLikeSecurityCode))
  return harmless.length === 0 ? '' : `?${harmless.join('&')}`
}

const languageOf = (request: FastifyRequest, checkout: CheckoutAnswer | null): PageLocale => {
  const asked = new URLSearchParams(searchOf(request)).get('locale')
  if (asked !== null && isPageLocale(asked)) return asked
  const language = firstLanguage(request.headers['accept-language'])
  return toPageLocale(checkout?.locale) ?? (language === undefined ? DEFAULT_PAGE_LOCALE : matchLanguage(language))
}

/** The shopper's page, drawn on the server with its checkout inside. The host alone names the merchant. */
export const documentRoutes: FastifyPluginAsync<DocumentOptions> = async (app, options) => {
  const { parts, build } = options
  const { publicBase } = parts

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 404 | 500,
    path: string,
    checkout: CheckoutAnswer | null,
    headersFor = (nonce: string) => documentHeaders(nonce, publicBase),
  ): Promise<FastifyReply> => {
    const nonce = newNonce()
    const inlined = {
      checkout,
      locale: languageOf(request, checkout),
      now: parts.clock.now(),
      timeScale: options.timeScale,
      threeDS: options.threeDS,
      footer: options.footer,
      release: options.release,
    }
    const html = await drawDocument(build, { path, search: searchOf(request) }, inlined, nonce)
    return reply.code(status).headers(headersFor(nonce)).type('text/html; charset=utf-8').send(html)
  }

  const redirect = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply =>
    reply
      .code(303)
      .header('cache-control', 'no-store')
      .header('location', path + withoutCard(searchOf(request)))
      .send()

  const notFound = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    send(request, reply, 404, '/404', null)

  const findCheckout = async (host: HostRole, checkoutId: string): Promise<CheckoutAnswer | null> => {
    if (!isId(checkoutId)) return null
    const merchant = await merchantOfDocument(parts.database, host)
    if (merchant === null) return null
    const reading = await readCheckout(parts, { merchantId: merchant.id, checkoutId })
    return reading === null ? null : presentCheckout(reading, merchant.settings)
  }

  app.get('/', async (request, reply) => {
    if (readHost(request.host, publicBase).host !== 'base') return notFound(request, reply)
    const nonce = newNonce()
    return reply.headers(documentHeaders(nonce, publicBase)).type('text/html; charset=utf-8').send(drawHome(nonce))
  })
  app.get('/404', notFound)
  app.get('/500', (request, reply) => send(request, reply, 500, '/500', null))

  /** Made from its query alone: no checkout is read, and none of the merchant's settings is told. */
  const preview = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const merchant = await merchantOfDocument(parts.database, readHost(request.host, publicBase))
    if (merchant === null) return notFound(request, reply)
    if (searchOf(request).length > PREVIEW_QUERY_MAX) {
      return reply
        .code(414)
        .headers(API_HEADERS)
        .type('text/plain; charset=utf-8')
        .send(`This preview's address is too long: it may carry ${PREVIEW_QUERY_MAX} characters. Shorten its texts.\n`)
    }
    return send(request, reply, 200, '/preview', null, previewHeaders)
  }
  app.get('/preview', preview)
  app.get('/preview/', preview)

  app.get<{ Params: { checkoutId: string; '*'?: string } }>('/:checkoutId/*', async (request, reply) => {
    const { checkoutId, '*': screen = '' } = request.params
    if (screen !== '' && !isScreen(screen)) return notFound(request, reply)
    const checkout = await findCheckout(readHost(request.host, publicBase), checkoutId)
    if (checkout === null) return redirect(request, reply, '/404')
    if (screen === '') return redirect(request, reply, `/${checkoutId}/${screenForStatus(checkout.status)}`)
    if (!isScreenForStatus(screen, checkout.status)) return redirect(request, reply, `/${checkoutId}`)
    return send(request, reply, 200, `/${checkoutId}/${screen}`, checkout)
  })

  app.get<{ Params: { checkoutId: string } }>('/:checkoutId', async (request, reply) => {
    const { checkoutId } = request.params
    if (!isId(checkoutId)) return notFound(request, reply)
    const checkout = await findCheckout(readHost(request.host, publicBase), checkoutId)
    if (checkout === null) return redirect(request, reply, '/404')
    return redirect(request, reply, `/${checkoutId}/${screenForStatus(checkout.status)}`)
  })

  app.setNotFoundHandler(notFound)

  app.setErrorHandler((error, request, reply) => {
    parts.log.error('a page could not be drawn', { call: request.routeOptions.url ?? '', ...errorFacts(error) })
    return send(request, reply, 500, '/500', null)
  })
}
