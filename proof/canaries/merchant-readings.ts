/** Merchant readings: whatever a merchant can list, read and export of its checkouts and settings, asked for so that it is scanned. */
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { systemClock } from '../../server/dependencies.ts'
import { jstDate } from '#contract/jst.ts'
import type { FlowContext } from './shopper-requests.ts'

const Page = Type.Object({
  items: Type.Array(Type.Object({ id: Type.Optional(Type.String()), checkoutId: Type.Optional(Type.String()) })),
  after: Type.Union([Type.String(), Type.Null()]),
})

/** The places of these answers among all that is scanned. */
export const MERCHANT_PLACES = [
  /^checkouts of a merchant$/,
  /^one checkout of a merchant$/,
  /^timeline of a checkout$/,
  /^refunds of a merchant$/,
  /^summary of a merchant$/,
  /^movements of a merchant$/,
  /^QR code of a checkout$/,
  /^settings of a merchant$/,
  /^events of a merchant$/,
  /^webhooks of a merchant$/,
  /^deliveries of a webhook$/,
] as const

const Webhooks = Type.Object({ items: Type.Array(Type.Object({ id: Type.String() })) })

const webhookIds = (body: string): string[] => {
  const listed: unknown = JSON.parse(body)
  if (!Check(Webhooks, listed)) throw new Error('that is no list of webhooks')
  return listed.items.map(({ id }) => id)
}

const MODE_TABLES = ['checkouts', 'attempts', 'refunds', 'ledger_lines', 'webhook_endpoints']
const HOUR_MS = 3_600_000

/** A key of the test mode reaches test checkouts alone; those with numbers of nobody were made live to be charged. */
const makeAllTest = async ({ database }: FlowContext): Promise<void> => {
  for (const table of MODE_TABLES) await database.transact((sql) => sql.rows(`UPDATE ${table} SET mode = 'test'`))
  // No two events of a mode are listed at one moment: those that were live are listed before the others.
  await database.transact((sql) =>
    sql.rows(`UPDATE events SET mode = 'test', fanned_out_at = fanned_out_at - $1 WHERE mode = 'live'`, HOUR_MS),
  )
}

/** Reads all of it, and answers how many checkouts and how many movements there were. */
export const readAsMerchant = async (context: FlowContext): Promise<{ checkouts: number; movements: number }> => {
  await makeAllTest(context)
  const headers = { authorization: `Bearer ${context.merchantKey}` }
  const get = async (path: string, place: string): Promise<string> => {
    const { status, body } = await context.client.send({ method: 'GET', path: MERCHANT_BASE + path, headers, place })
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body.slice(0, 200)}`)
    return body
  }
  const list = async (path: string, place: string): Promise<string[]> => {
    const ids: string[] = []
    let after: string | null = null
    do {
      const page: unknown = JSON.parse(await get(`${path}?limit=50${after === null ? '' : `&after=${after}`}`, place))
      if (!Check(Page, page)) throw new Error(`${path} is no page of a list`)
      ids.push(...page.items.flatMap(({ id = '' }) => (id === '' ? [] : [id])))
      after = page.after
    } while (after !== null)
    return ids
  }
  const ids = await list('/checkouts', 'checkouts of a merchant')
  for (const id of ids) {
    await get(`/checkouts/${id}`, 'one checkout of a merchant')
    await list(`/checkouts/${id}/timeline`, 'timeline of a checkout')
    await list(`/checkouts/${id}/refunds`, 'refunds of a merchant')
  }
  await get(`/checkouts/${ids[0]}/qr.svg`, 'QR code of a checkout')
  await get('/settings', 'settings of a merchant')
  await list('/refunds', 'refunds of a merchant')
  await list('/events', 'events of a merchant')
  for (const id of webhookIds(await get('/webhooks', 'webhooks of a merchant')))
    await list(`/webhooks/${id}/deliveries`, 'deliveries of a webhook')
  // A payment in doubt is booked as of when the acquirer charged it.
  const from = jstDate(systemClock.now() - 24 * 3_600_000)
  await get(`/summary?from=${from}`, 'summary of a merchant')
  await get(`/figures?from=${from}`, 'figures of a merchant')
  const lines = await get(`/exports/movements.csv?from=${from}`, 'movements of a merchant')
  return { checkouts: ids.length, movements: lines.trimEnd().split('\r\n').length - 1 }
}
