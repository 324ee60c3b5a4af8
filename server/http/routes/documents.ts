/** Routes of every drawn page: the console’s document, about, preview and checkout pages, error pages, and what becomes of an address that has no page. */
import type { FastifyError, FastifyPluginAsync } from 'fastify'
import { errorFacts } from '../../log.ts'
import { DatabaseUnavailable } from '../../store/engine/database.ts'
import { sendConsoleDocuments } from '../console/documents.ts'
import { isCallersFault } from '../errors.ts'
import { sendUnavailable } from '../limits/load-shedding.ts'
import type { RouteLanes } from '../limits/route-lanes.ts'
import { createPageSender, PAGE_ROUTE, redirect, type DocumentOptions } from '../pages/send-page.ts'
import { isQueryTooLong, searchOf } from '../query.ts'
import { aboutRoutes } from './about.ts'
import { checkoutPageRoutes } from './checkout-pages.ts'
import { previewRoutes } from './preview.ts'

interface DocumentRoutesOptions extends DocumentOptions {
  readonly lanes: Pick<RouteLanes, 'noteCheckout'>
}

export const documentRoutes: FastifyPluginAsync<DocumentRoutesOptions> = async (app, options) => {
  const { deps, lanes } = options
  const pages = createPageSender(options)

  // No page of ours needs such a query, and drawing a page would parse it several times.
  app.addHook('preHandler', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (/^\/preview\/?$/.test(path) || !isQueryTooLong(searchOf(request))) return undefined
    // A path that begins with two slashes names another host.
    return redirect(request, reply, /^\/[\w./-]*$/.test(path) && !path.startsWith('//') ? path : '/404')
  })

  sendConsoleDocuments(app, options)
  aboutRoutes(app, deps, pages)
  previewRoutes(app, deps, pages)
  checkoutPageRoutes(app, deps, pages, lanes)
  for (const path of ['/404', '/500'] as const) {
    app.get(path, PAGE_ROUTE, (request, reply) => pages.sendError(request, reply, path))
    app.get(`${path}/`, PAGE_ROUTE, (request, reply) => redirect(request, reply, path))
  }

  app.setNotFoundHandler((request, reply) => pages.sendError(request, reply, '/404'))

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (isCallersFault(error))
      return reply
        .code(error.statusCode ?? 400)
        .type('text/plain; charset=utf-8')
        .send('This request cannot be read.\n')
    if (error instanceof DatabaseUnavailable) return sendUnavailable(reply, 'page')
    deps.log.error('a page could not be drawn', { call: request.routeOptions.url ?? '', ...errorFacts(error) })
    return pages.sendError(request, reply, '/500')
  })
}
