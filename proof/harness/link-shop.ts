/** Link shop: a shop with reusable links, and visitors who each come from another network. */
import assert from 'node:assert/strict'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { ReusableLinkAnswer } from '#contract/merchant/reusable-links.ts'
import { integer } from '../../server/store/engine/columns.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { openMerchantClient } from './merchant-client.ts'

/** The host of the shop. */
export const TEA = { host: 'tea.localhost:3000' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Without a build it draws the pages of its links alone. */
export const openLinkShop = async (database: Database, settings?: Parameters<typeof openMerchantClient>[2]) => {
  const client = await openMerchantClient(database, {}, settings)
  let visitors = 0
  const createLink = async (body: object = { amount: 1980 }, headers = {}): Promise<ReusableLinkAnswer> => {
    const answer = await client.send('/links', { method: 'POST', payload: body, headers })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json<ReusableLinkAnswer>()
  }
  const readLink = (id: string): Promise<ReusableLinkAnswer> => client.get<ReusableLinkAnswer>(`/links/${id}`)
  const change = (id: string, payload: object) => client.send(`/links/${id}`, { method: 'PATCH', payload })
  const openPage = (id: string, headers: object = {}) =>
    client.server.app.inject({ url: `/links/${id}`, headers: { ...TEA, ...headers } })
  /** Presses the button, each time as another visitor on another network. */
  const press = (id: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    client.server.app.inject({
      method: 'POST',
      url: `/links/${id}`,
      headers: { ...TEA, ...FORM, ...headers },
      remoteAddress: `198.18.${Math.floor(visitors / 250)}.${(visitors += 1) % 250}`,
      payload: String(new URLSearchParams(fields)),
    })
  const openedBy = async (id: string, fields: Record<string, string> = {}): Promise<string> => {
    const answer = await press(id, fields)
    assert.equal(answer.statusCode, 303, answer.body)
    return String(answer.headers.location).slice(1)
  }
  const read = (id: string) => client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)
  const countOf = async (linkId: string): Promise<number> => {
    const [row = {}] = await client.server.deps.database.rows(
      'SELECT COUNT(*) AS of_link FROM checkouts WHERE link_id = $1',
      linkId,
    )
    return integer(row, 'of_link')
  }

  return { client, createLink, readLink, change, openPage, press, openedBy, read, countOf }
}
export type LinkShop = Awaited<ReturnType<typeof openLinkShop>>
