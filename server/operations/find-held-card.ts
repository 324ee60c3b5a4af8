/** Find held card: the card of an attempt, read before the transaction that needs it. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { Card, CardBinding } from '#payment/ports.ts'
import type { Dependencies } from '../dependencies.ts'

/** Null: it is not held any more. The hold may be another machine, so this is never called inside a transaction. */
export const findHeldCard = async (
  { cardHold, log }: Pick<Dependencies, 'cardHold' | 'log'>,
  binding: CardBinding,
): Promise<Card | null | Refusal> => {
  const held = await cardHold.find(binding)
  switch (held.outcome) {
    case 'held':
      return held.card
    case 'not_held':
      return null
    case 'unavailable':
      log.warn('a held card could not be read', { why: held.why })
      return refuse('unavailable')
  }
}
