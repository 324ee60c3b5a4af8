/** Routes of the link that asks an address whether it wants mails: GET shows a button, POST confirms. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { CONFIRMATION_HEADERS, drawConfirmationPage } from '../pages/confirmation-page.ts'
import { merchantOfDocument, readHost } from '../hosts.ts'
import { localeInQuery, searchOf } from '../query.ts'
import { visitorLocaleOf } from '../pages/visitor-locale.ts'
import { isId } from '../../ids.ts'
import { confirmMailAddress, readConfirmationLink } from '../../operations/mail-addresses.ts'
import { CONFIRMATION_PATH, merchantOrigin } from '../../origins.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'

type WithToken = FastifyRequest<{ Params: { token: string } }>

/** A form without a field. */
const FORM_LIMIT = 1024

export const mailAddressRoutes: FastifyPluginAsync<{ readonly deps: Dependencies }> = async (app, { deps }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, _body, done) => done(null, null),
  )

  /** The host names the merchant; what cannot be a token is not looked up. */
  const merchantOf = async ({ params, headers }: WithToken): Promise<Merchant | null> =>
    isId(params.token) ? merchantOfDocument(deps.findMerchant, readHost(headers.host, deps.publicBase)) : null

  const send = async (request: WithToken, reply: FastifyReply, merchant: Merchant): Promise<FastifyReply> => {
    const link = await readConfirmationLink(deps, merchant.id, request.params.token)
    const locale = localeInQuery(searchOf(request)) ?? visitorLocaleOf(request)
    const { host } = new URL(merchantOrigin(deps.publicBase, merchant.label))
    return reply
      .code(link === 'gone' ? 404 : 200)
      .headers(CONFIRMATION_HEADERS)
      .type('text/html; charset=utf-8')
      .send(drawConfirmationPage(link, locale, host))
  }

  app.get(`${CONFIRMATION_PATH}:token`, { config: { lane: 'pages' } }, async (request: WithToken, reply) => {
    const merchant = await merchantOf(request)
    return merchant === null ? reply.callNotFound() : send(request, reply, merchant)
  })

  app.post(`${CONFIRMATION_PATH}:token`, { config: { lane: 'browserReports' } }, async (request: WithToken, reply) => {
    const merchant = await merchantOf(request)
    if (merchant === null) return reply.callNotFound()
    await confirmMailAddress(deps, merchant.id, request.params.token)
    return send(request, reply, merchant)
  })
}
