import type { PageCheckout } from '../answers.ts'

/**
 * A checkout never opens again. An answer that says `open` after another one said otherwise is a late one, and believing
 * it would show the card form to somebody who has paid.
 */
export const neverReopen = (known: PageCheckout | undefined, answer: PageCheckout): PageCheckout =>
  known !== undefined && known.id === answer.id && known.status !== 'open' && answer.status === 'open' ? known : answer
