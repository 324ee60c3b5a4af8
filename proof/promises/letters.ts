import { IMMEDIATE_ANSWER_MS } from '#payment/charge.ts'
import { isPaid, type CheckoutTrail } from './both-sides.ts'
import type { PostedLetter, StoredAttempt } from './facts.ts'

interface DueLetter {
  readonly kind: 'webhook' | 'mail'
  readonly event: string
  /** What it is about, where a checkout may have several of this event. */
  readonly about?: string
}

/** Every closing is one letter to the merchant; nothing is said of what is open. */
const closings = (status: string): string[] => {
  if (status === 'open') return []
  return status === 'refunded' ? ['paid', 'refunded'] : [status]
}

/** Who may have read that we would write, and was charged nothing. */
const isOwedALetter = ({ state, wasInDoubt, flightMs }: StoredAttempt): boolean =>
  (state === 'declined' || state === 'void') && (wasInDoubt || flightMs > IMMEDIATE_ANSWER_MS)

const lettersDue = ({ checkout, attempts, refunds }: CheckoutTrail): DueLetter[] => [
  ...closings(checkout.status).map((end): DueLetter => ({ kind: 'webhook', event: `checkout.${end}` })),
  ...(isPaid(checkout) ? [{ kind: 'mail', event: 'receipt' } as const] : []),
  ...refunds
    .filter(({ state }) => state === 'refunded')
    .flatMap(({ refundId: about }): DueLetter[] => [
      { kind: 'webhook', event: 'refund', about },
      { kind: 'mail', event: 'refund', about },
    ]),
  ...attempts
    .filter(isOwedALetter)
    .map(({ orderCode: about }): DueLetter => ({ kind: 'mail', event: 'nothing_charged', about })),
]

const nameOf = ({ kind, event, id }: Omit<PostedLetter, 'checkoutId'>): string => `${kind} ${event}, ${id}`

/** The letters that are owed for how a checkout ended were posted, each once, and no others. */
export const everyLetterIsPosted = (trail: CheckoutTrail): string[] => {
  const { checkout, letters } = trail
  const due = lettersDue(trail).map(({ kind, event, about }) => {
    const what = about === undefined ? event : `${event}.${about}`
    return nameOf({ kind, event, id: `${checkout.id}.${what}.${kind}` })
  })
  const posted = letters.map(nameOf)
  return [...new Set([...due, ...posted])].flatMap((letter) => {
    const [has, should] = [posted, due].map((all) => all.filter((each) => each === letter).length)
    return has === should ? [] : [`has ${has} of "${letter}", not ${should}`]
  })
}
