/** Routes of reusable links: GET shows what is paid and creates nothing, POST leads to a fresh checkout, of which nothing is stored. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { toPageLocale } from '#contract/locale.ts'
import type { LinkStatus } from '#contract/merchant/reusable-links.ts'
import { readTypedYen } from '#contract/typed-yen.ts'
import { outsideBounds, statusOfLink, type ReusableLink } from '#payment/reusable-link.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isForm, isId } from '../../ids.ts'
import { drawForm, openByVisitor } from '../../operations/reusable-links/opened-checkouts.ts'
import { LINK_PATH } from '../../origins.ts'
import { findLinkToOpen, type LinkToOpen } from '../../store/checkout/reusable-links.ts'
import { DatabaseUnavailable } from '../../store/engine/database.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import { merchantOfDocument, readHost } from '../hosts.ts'
import { sendUnavailable } from '../limits/load-shedding.ts'
import type { ClosedLink } from '../pages/link-page-words.ts'
import { drawLinkPage, type FormProblem, type LinkPage } from '../pages/link-page.ts'
import { PAGE_ROUTE, redirect, sendHtml } from '../pages/send-page.ts'
import { visitorLocaleOf } from '../pages/visitor-locale.ts'
import { localeInQuery, searchOf } from '../query.ts'

type WithLink = FastifyRequest<{ Params: { linkId: string } }>

/** An amount, and the id of the form. */
const FORM_LIMIT = 1024

const CLOSED: Record<Exclude<LinkStatus, 'open'>, ClosedLink> = { full: 'full', ended: 'ended', disabled: 'stopped' }

const statusOf = (page: LinkPage): number => {
  if ('closed' in page) return 410
  return page.problem === null ? 200 : 422
}

interface FoundLink extends LinkToOpen {
  readonly merchant: Merchant
}

/** What was typed, as far as a form of ours can send it. */
const fieldsOf = (body: unknown): { readonly typed: string; readonly form: string | null } => {
  const fields = new URLSearchParams(typeof body === 'string' ? body : '')
  return { typed: (fields.get('amount') ?? '').slice(0, 40), form: fields.get('form') }
}

/** The amount of a visit, or what is wrong with it. A fixed amount is read from the link alone. */
const readVisit = ({ amount }: ReusableLink, typed: string): number | FormProblem => {
  if (amount.by === 'merchant') return amount.yen
  const yen = readTypedYen(typed)
  return yen === undefined || yen === null ? 'no amount' : (outsideBounds(amount, yen) ?? yen)
}

/** A form of another site was pressed elsewhere: its visitor sees first what is paid. Browsers that send no such header are let through. */
const isFromElsewhere = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

export const linkPageRoutes: FastifyPluginAsync<{ readonly deps: Dependencies }> = async (app, { deps }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, body, done) => done(null, body),
  )

  // Everything else is answered as on every other route.
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof DatabaseUnavailable) return sendUnavailable(reply, 'page')
    throw error
  })

  /** The host names the merchant; what cannot be a link is not looked up. */
  const find = async ({ params, headers }: WithLink): Promise<FoundLink | null> => {
    if (!isId(params.linkId)) return null
    const merchant = await merchantOfDocument(deps.findMerchant, readHost(headers.host, deps.publicBase))
    if (merchant === null) return null
    const found = await findLinkToOpen(deps.database, merchant.id, params.linkId, null)
    return found === null ? null : { merchant, ...found }
  }

  const closedBecause = ({ merchant, link }: FoundLink): ClosedLink | null => {
    if (merchant.closedAt !== null) return 'shopClosed'
    const status = statusOfLink(link, deps.clock.now())
    return status === 'open' ? null : CLOSED[status]
  }

  const send = (
    request: WithLink,
    reply: FastifyReply,
    { merchant: { settings }, link }: FoundLink,
    page: LinkPage,
  ): Promise<FastifyReply> => {
    const chosen = toPageLocale(link.checkout.locale ?? settings.locale ?? undefined)
    const locale = localeInQuery(searchOf(request)) ?? chosen ?? visitorLocaleOf(request)
    const { html, headers } = drawLinkPage(link, settings, page, locale)
    return sendHtml(request, reply.code(statusOf(page)).headers(headers), html)
  }

  const freshForm = (found: FoundLink, typed = ''): LinkPage => ({ form: drawForm(deps, found), typed, problem: null })

  app.get(`${LINK_PATH}:linkId`, PAGE_ROUTE, async (request: WithLink, reply) => {
    const found = await find(request)
    if (found === null) return reply.callNotFound()
    const closed = closedBecause(found)
    return send(request, reply, found, closed === null ? freshForm(found) : { closed })
  })

  app.post(`${LINK_PATH}:linkId`, { config: { lane: 'forms' } }, async (request: WithLink, reply) => {
    const found = await find(request)
    if (found === null) return reply.callNotFound()
    const closed = closedBecause(found)
    if (closed !== null) return send(request, reply, found, { closed })
    if (isFromElsewhere(request)) return send(request, reply, found, freshForm(found))
    const { link, merchant } = found
    const fields = fieldsOf(request.body)
    const form = fields.form !== null && isForm(fields.form) ? fields.form : drawForm(deps, found)
    const again = (problem: FormProblem) => send(request, reply, found, { form, typed: fields.typed, problem })
    const visit = readVisit(link, fields.typed)
    if (typeof visit === 'string') return again(visit)
    const opened = openByVisitor(deps, merchant, found, { yen: visit, form })
    // Not led on: its visitor may have paid by the form that was sent.
    if (opened === 'stale') return send(request, reply, found, freshForm(found, fields.typed))
    if ('checkoutId' in opened) return redirect(request, reply, `/${opened.checkoutId}`)
    // It was allowed when the link was made: since then the settings have changed, or the acquirer.
    deps.log.warn('a reusable link can open no checkout', { merchant: merchant.id, why: opened.refused })
    return send(request, reply, found, { closed: 'stopped' })
  })
}
