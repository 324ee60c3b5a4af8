/** Routes of the preview: a page drawn from its query alone. No checkout is read, and none of the merchant's settings is told. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PREVIEW_QUERY_MAX } from '#contract/preview-address.ts'
import type { Dependencies } from '../../dependencies.ts'
import { merchantOrigin } from '../../origins.ts'
import { previewHeaders } from '../headers.ts'
import { merchantOfDocument, readHost } from '../hosts.ts'
import { PAGE_ROUTE, redirect, type PageSender } from '../pages/send-page.ts'
import { visitorLocaleOf } from '../pages/visitor-locale.ts'
import { hasTooManyParameters, isQueryTooLong, PARAMETERS_MAX, searchOf } from '../query.ts'

const TOO_LONG = `This preview's address is too long: it may carry ${PREVIEW_QUERY_MAX} characters and ${PARAMETERS_MAX} parameters. Shorten its texts.\n`

export const previewRoutes = (app: FastifyInstance, deps: Dependencies, { sendPage, sendError }: PageSender): void => {
  const preview = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const merchant = await merchantOfDocument(deps.findMerchant, readHost(request.headers.host, deps.publicBase))
    if (merchant === null) return sendError(request, reply, '/404')
    const search = searchOf(request)
    if (search.length > PREVIEW_QUERY_MAX || hasTooManyParameters(search))
      return reply.code(414).type('text/plain; charset=utf-8').send(TOO_LONG)
    const facts = { origin: merchantOrigin(deps.publicBase, merchant.label), visitorLocale: visitorLocaleOf(request) }
    const headersFor = (nonce: string) => previewHeaders(nonce, deps.publicBase)
    // Browsers that read frame-ancestors ignore it; one that does not would refuse the console's frame.
    reply.removeHeader('x-frame-options')
    return sendPage(request, reply, { path: '/preview', checkout: null, preview: facts, headersFor })
  }
  app.get('/preview', PAGE_ROUTE, preview)
  app.get('/preview/', PAGE_ROUTE, (request, reply) =>
    // A preview's query may be longer than a redirect can repeat.
    isQueryTooLong(searchOf(request)) ? preview(request, reply) : redirect(request, reply, '/preview'),
  )
}
