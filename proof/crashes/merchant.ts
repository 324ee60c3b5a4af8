import { MERCHANT_BASE } from '#contract/paths.ts'
import { MerchantCheckoutAnswer, RefundAnswer } from '#contract/merchant.ts'
import { answered, shop, type Scene } from './shopper.ts'

const AGAIN_MS = 250
const MOST_YEN = 20_000

const create = async ({ line, dice, sleep, note, isOver }: Scene): Promise<MerchantCheckoutAnswer | undefined> => {
  const body = { amount: dice.between(2, MOST_YEN) }
  while (!isOver()) {
    const path = `${MERCHANT_BASE}/checkouts`
    const created = answered(await line.send({ name: 'create', method: 'POST', path, body }), MerchantCheckoutAnswer)
    if (created !== undefined) {
      note({ said: 'created', checkoutId: created.id, amountYen: created.amount })
      return created
    }
    await sleep(AGAIN_MS)
  }
  return undefined
}

/** Asks for one refund until an answer says what became of it, or only that it was taken, where that is enough. */
const giveBack = async (
  { line, sleep, note, park, isOver }: Scene,
  checkoutId: string,
  wish: { readonly refundId: string; readonly amount: number },
  isPatient: boolean,
): Promise<void> => {
  const path = `${MERCHANT_BASE}/checkouts/${checkoutId}/refunds`
  while (!isOver()) {
    const reply = await line.send({ name: 'refund', method: 'POST', path, body: wish })
    // Not paid, more than is left, or no such checkout: no refund came of it.
    if (reply !== 'nothing' && reply.status >= 400 && reply.status < 500) return
    const answer = answered(reply, RefundAnswer)
    if (answer !== undefined) {
      const { refundId, amount: amountYen, status } = answer
      note({ said: 'refund', checkoutId, refundId, amountYen, status })
      if (status !== 'pending' || !isPatient) return
      park()
    }
    await sleep(AGAIN_MS)
  }
}

/** One checkout from its creation to the last yen given back, in one tab or two. */
export const liveThrough = async (scene: Scene): Promise<void> => {
  const { dice } = scene
  const created = await create(scene)
  if (created === undefined) return
  const { id, amount } = created
  const tab = (): Promise<void> => shop({ ...scene, dice: dice.split() }, id)
  await Promise.all(dice.chance(0.2) ? [tab(), tab()] : [tab()])
  if (!dice.chance(0.6)) return
  const part = dice.between(1, amount - 1)
  const isPatient = dice.chance(0.5)
  // The second wish is for the rest, or for too much.
  const wishes = [
    { refundId: 'r1', amount: part },
    { refundId: 'r2', amount: dice.chance(0.7) ? amount - part : amount },
  ]
  await Promise.all(wishes.slice(0, dice.between(1, 2)).map((wish) => giveBack(scene, id, wish, isPatient)))
}
