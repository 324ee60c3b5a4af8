/** Routes of the about and the privacy page, on the bare base host. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '../../dependencies.ts'
import { documentHeaders } from '../headers.ts'
import { readHost } from '../hosts.ts'
import type { AboutPage } from '../pages/about-page-words.ts'
import { drawAboutPage } from '../pages/about-pages.ts'
import { newNonce } from '../pages/document.ts'
import { languageOf, PAGE_ROUTE, sendHtml, type PageSender } from '../pages/send-page.ts'

export const aboutRoutes = (app: FastifyInstance, { publicBase }: Dependencies, { sendError }: PageSender): void => {
  const send = (page: AboutPage) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (readHost(request.headers.host, publicBase).host !== 'base') return sendError(request, reply, '/404')
    const nonce = newNonce()
    const html = drawAboutPage(page, languageOf(request), nonce)
    return sendHtml(request, reply.headers(documentHeaders(nonce, publicBase, [])), html)
  }
  app.get('/', PAGE_ROUTE, send('about'))
  app.get('/about', PAGE_ROUTE, send('about'))
  app.get('/privacy', PAGE_ROUTE, send('privacy'))
}
