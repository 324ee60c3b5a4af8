/** Sealed card hold: cards between start and pay, encrypted in the memory of a store that all servers share. */
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { CardNumber } from '#payment/card-number.ts'
import type { Card, CardBinding, CardHold, HoldUnavailable } from '#payment/ports.ts'
import { messageOf, type Log } from '../log.ts'
import { parseJson } from '../parse-json.ts'
import { CARD_HOLD_MS } from './memory.ts'
import type { CardSealing } from './sealing.ts'

/** The shared store. Each call rejects where it has no answer in time. */
export interface SealedStore {
  set(name: string, bytes: Buffer, ms: number): Promise<void>
  /** In the order of the names; null: nothing stands there. */
  get(names: readonly string[]): Promise<readonly (Uint8Array | null)[]>
  delete(names: readonly string[]): Promise<void>
}

/** What is sealed of a card. Never its security code. */
const HeldFields = Type.Object(
  {
    number: Type.String(),
    expiryMonth: Type.Integer(),
    expiryYear: Type.Integer(),
    holderName: Type.String(),
    email: Type.String(),
  },
  { additionalProperties: false },
)

const plainOf = ({ number, expiryMonth, expiryYear, holderName, email }: Card): string => {
  const fields: Static<typeof HeldFields> = { number: number.reveal(), expiryMonth, expiryYear, holderName, email }
  return JSON.stringify(fields)
}

const cardOf = (plain: string): Card | null => {
  const fields = parseJson(plain)
  if (!Check(HeldFields, fields)) return null
  const number = CardNumber.parse(fields.number)
  return number === undefined ? null : { ...fields, number }
}

/** How long a server keeps a copy. Longer than any charge takes. A card that is needed again is read from the shared store again. */
export const CARD_COPY_MS = 3 * 60 * 1000

interface Options {
  readonly store: SealedStore
  readonly sealing: CardSealing
  /** The numbers that this process has in memory: the same card is one object here, so that a wipe overwrites its digits. */
  readonly memory: CardHold
  readonly log: Pick<Log, 'warn'>
}

const unavailable = (error: unknown): HoldUnavailable => ({ outcome: 'unavailable', why: messageOf(error) })

export const createSealedCardHold = ({ store, sealing, memory, log }: Options): CardHold => {
  const wipe = async (orderCodes: readonly string[]): Promise<void> => {
    await memory.wipe(orderCodes)
    try {
      await store.delete(orderCodes.flatMap(sealing.namesOf))
    } catch (error) {
      log.warn('held cards could not be wiped, and end by their time', { why: messageOf(error) })
    }
  }

  const openHeld = (binding: CardBinding, values: readonly (Uint8Array | null)[]): Card | null => {
    for (const [keyIndex, bytes] of values.entries()) {
      const plain = bytes === null ? null : sealing.open(binding, keyIndex, bytes)
      if (plain !== null) return cardOf(plain)
    }
    return null
  }

  return {
    put: async (binding, card) => {
      const { name, bytes } = sealing.seal(binding, plainOf(card))
      try {
        await store.set(name, bytes, CARD_HOLD_MS)
      } catch (error) {
        // It may have been stored in spite of the silence.
        void wipe([binding.orderCode])
        return unavailable(error)
      }
      return memory.put(binding, card)
    },
    find: async (binding) => {
      const { orderCode } = binding
      let values
      try {
        values = await store.get(sealing.namesOf(orderCode))
      } catch (error) {
        return unavailable(error)
      }
      const card = openHeld(binding, values)
      if (card === null) {
        // Another server has wiped it, or it is held for another payment.
        if (values.every((bytes) => bytes === null)) await memory.wipe([orderCode])
        return { outcome: 'not_held' }
      }
      const here = await memory.find(binding)
      if (here.outcome === 'held') card.number.wipe()
      const copy = here.outcome === 'held' ? here.card : card
      // Its time begins anew: the digits must not be overwritten while a charge that has begun still needs them.
      await memory.put(binding, copy)
      return { outcome: 'held', card: copy }
    },
    wipe,
  }
}
