import { SHOPPER_BASE } from '#contract/paths.ts'
import type { Canary } from './canary.ts'
import type { Request } from './client.ts'
import { open, prepare, SHOPPER_WITH_JSON, start, type Order, type World } from './shopper.ts'

/** What a mistake can be made with. Empty: it is not yet as far as that. */
export interface Situation extends Order {
  readonly canary: Canary
  readonly port: string
  readonly key: string
  readonly ticket: string
  /** How the 3-D Secure server knows the attempt: it listens to no event that does not name this. */
  readonly session: string
}

type Prepare = (world: World, canary: Canary) => Promise<Situation>

/** A card number or a security code where it does not belong, and the status that it is answered with. */
type Mistake = readonly [name: string, status: number, request: (situation: Situation) => Request]

/** Mistakes that are made in the same situation. */
export interface Mistakes {
  readonly prepare: Prepare
  readonly mistakes: readonly Mistake[]
}

const situationOf = ({ port, merchantKey }: World, canary: Canary, order: Order): Situation => ({
  ...order,
  canary,
  port,
  key: merchantKey,
  ticket: '',
  session: '',
})

export const openCheckout: Prepare = async (world, canary) =>
  situationOf(world, canary, { checkoutId: await open(world, canary), orderCode: '' })

export const cardHeld: Prepare = async (world, canary) => situationOf(world, canary, await prepare(world, canary))

/** While the 3-D Secure server and the bank look at the browser. */
export const atCollecting: Prepare = async (world, canary) => {
  const opened = await openCheckout(world, canary)
  const { orderCode, collectUrl = '' } = await start(world, canary, opened.checkoutId)
  const ticket = collectUrl.split('/').at(-1) ?? ''
  const [row] = await world.database.rows('SELECT session FROM authentications WHERE ticket = $1', ticket)
  const session = /"requestorTransId":"([^"]*)"/.exec(String(row?.['session']))?.[1]
  if (session === undefined) throw new Error(`no browser is looked at for ${opened.checkoutId}`)
  return { ...opened, orderCode, ticket, session }
}

export const paying = ({ checkoutId, orderCode, canary }: Situation, wrong: object): Request => ({
  method: 'PATCH',
  path: `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds/${orderCode}/pay`,
  headers: SHOPPER_WITH_JSON,
  body: JSON.stringify({ cvc: canary.cvc, locale: 'ja_JP', receiptEmail: canary.email, ...wrong }),
})
