/** Routes of the bridge on 3ds.<base>. */
import type { FastifyContextConfig, FastifyPluginAsync, FastifyReply } from 'fastify'
import { holdsCardNumber, holdsDigitRun } from '#payment/card-number-detector.ts'
import type { ThreeDSEvent } from '#payment/three-ds-port.ts'
import { browserOf, withScreen } from '../bridge/browser-facts.ts'
import { challengePage, collectPage, eventPage, watchPage, type BridgePage } from '../bridge/pages.ts'
import { parseTicket } from '../../ids.ts'
import { readHost } from '../hosts.ts'
import { hasTooManyParameters } from '../query.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  findByTicket,
  markChallengeShown,
  saveBrowserFacts,
  saveCollected,
  type AuthenticationRecord,
} from '../../store/checkout/authentications.ts'

type Ticketed = { Params: { ticket: string } }

/** What the card page hears of an event; undefined: nothing. The page takes an unknown name for a failure. */
const messageFor = (event: ThreeDSEvent): string | undefined => {
  switch (event.hint) {
    case 'collected':
      return '3DS_DO_AUTH'
    case 'result ready':
      return '3DS_AUTH_RESULT_READY'
    case 'nothing':
      return undefined
    case 'unknown':
      return holdsCardNumber(event.name) ? 'unknown' : event.name
  }
}

/** An event has a handful of fields. Null: too many, and reading them would cost too much time. */
const parseForm = (body: unknown): ReadonlyMap<string, string> | null => {
  if (typeof body !== 'string') return new Map()
  return hasTooManyParameters(body) ? null : new Map(new URLSearchParams(body))
}

/**
 * The bridge on 3ds.<base>: frames the 3-D Secure server and the bank, so that the card page frames one host. It knows an
 * attempt by its ticket and sets no cookie: banks come back by a cross-site form post, which would carry none.
 */
export const bridgeRoutes: FastifyPluginAsync<{ readonly deps: Dependencies }> = async (app, { deps }) => {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, String(body)),
  )

  app.addHook('onRequest', async (request, reply) => {
    if (readHost(request.headers.host, deps.publicBase).host !== 'bridge') return reply.callNotFound()
    // The card page frames these; each page's own policy names by whom it may be framed.
    reply.removeHeader('x-frame-options')
    return undefined
  })

  const recordOf = async (ticket: string): Promise<AuthenticationRecord | null> => {
    const ref = parseTicket(ticket)
    return ref === null ? null : findByTicket(deps.database, ref)
  }

  const lookUp: FastifyContextConfig['lookUp'] = async ({ ticket = '' }) =>
    (await recordOf(ticket)) === null ? 'nothing' : 'stored'
  const payment = { config: { lane: 'payment', lookUp } } as const

  const gone = (reply: FastifyReply): FastifyReply =>
    reply.code(404).type('text/plain; charset=utf-8').send('This step of the payment is over.\n')

  const sendPage = (reply: FastifyReply, { html, headers }: BridgePage): FastifyReply =>
    reply.headers(headers).type('text/html; charset=utf-8').send(html)

  app.get<Ticketed>('/collect/:ticket', payment, async (request, reply) => {
    const record = await recordOf(request.params.ticket)
    return record === null ? gone(reply) : sendPage(reply, collectPage(record))
  })

  app.get<Ticketed>('/watch/:ticket', payment, async (request, reply) => {
    const record = await recordOf(request.params.ticket)
    return record === null ? gone(reply) : sendPage(reply, watchPage(record))
  })

  app.get<Ticketed>('/challenge/:ticket', payment, async (request, reply) => {
    const record = await recordOf(request.params.ticket)
    if (record?.answer?.kind !== 'challenge') return gone(reply)
    await markChallengeShown(deps.database, record, deps.clock.now())
    return sendPage(reply, challengePage(record, record.answer.url))
  })

  app.post<Ticketed>('/collect/:ticket/browser', payment, async (request, reply) => {
    const record = await recordOf(request.params.ticket)
    if (record === null) return gone(reply)
    const facts = withScreen(browserOf(request), request.body)
    if (facts === undefined)
      return reply.code(400).type('text/plain').send('These facts of a browser cannot be read.\n')
    await saveBrowserFacts(deps.database, record, facts)
    return reply.code(204).send()
  })

  app.post<Ticketed>('/events/:ticket', payment, async (request, reply) => {
    const record = await recordOf(request.params.ticket)
    if (record === null) return gone(reply)
    const form = parseForm(request.body)
    if (form === null) return reply.code(400).type('text/plain').send('This form cannot be read.\n')
    const event = deps.threeDSServer.event(record.session, form)
    if (event.hint === 'unknown') deps.log.warn('an unknown event of a 3-D Secure server', { why: event.name })
    // Forged, it could hold a card number, which would be stored. Without it the issuer is sent our own facts.
    if (event.hint === 'collected' && event.collected !== null && !holdsDigitRun(event.collected))
      await saveCollected(deps.database, record, event.collected)
    const message = messageFor(event)
    // A frame that is answered with 204 stays where it is: the provider's page goes on.
    return message === undefined ? reply.code(204).send() : sendPage(reply, eventPage(record, message))
  })
}
