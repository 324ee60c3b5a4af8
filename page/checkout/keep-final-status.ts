/**
 * Stale answer check: a closed checkout never opens again. An answer that says `open` after another one said otherwise is a
 * late one, and accepting it would show the card form to a shopper who has paid.
 */
import type { PageCheckout } from '../parse-answers.ts'

export const keepFinalStatus = (known: PageCheckout | undefined, answer: PageCheckout): PageCheckout =>
  known !== undefined && known.id === answer.id && known.status !== 'open' && answer.status === 'open' ? known : answer
