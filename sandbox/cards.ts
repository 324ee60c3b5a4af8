export type Brand = 'visa' | 'master' | 'jcb' | 'amex' | 'diners' | 'discover' | 'unknown'

export const declineReasons = ['card_declined', 'card_expired', 'unsupported_card'] as const
export type DeclineReason = (typeof declineReasons)[number]

export type Behaviour =
  | { kind: 'charge' }
  | { kind: 'decline'; reason: DeclineReason }
  | { kind: 'book_and_stay_silent'; holdMs: number }
  | { kind: 'book_late'; pendingMs: number }
  | { kind: 'drop' }
  | { kind: 'book_and_fail' }
  | { kind: 'fail' }
  | { kind: 'queue'; queueMs: number }

type AcquirerCard = { number: string; behaviour: Behaviour; does: string }

// Durations are at time scale 1. A number that is not here is charged at once.
const acquirerCards: readonly AcquirerCard[] = [
  { number: '4100000000000100', behaviour: { kind: 'charge' }, does: 'Is charged at once, as any unlisted number is.' },
  { number: '5100000000000107', behaviour: { kind: 'charge' }, does: 'Is charged at once, as a Mastercard.' },
  { number: '3528000000000106', behaviour: { kind: 'charge' }, does: 'Is charged at once, as a JCB card.' },
  {
    number: '340000000000108',
    behaviour: { kind: 'charge' },
    does: 'Is charged at once, as an American Express card.',
  },
  { number: '6440000000000104', behaviour: { kind: 'charge' }, does: 'Is charged at once, as a Discover card.' },
  {
    number: '4100000000750001',
    behaviour: { kind: 'decline', reason: 'card_declined' },
    does: 'Is declined by the acquirer with reason card_declined.',
  },
  {
    number: '4100000000751009',
    behaviour: { kind: 'decline', reason: 'card_expired' },
    does: 'Is declined by the acquirer with reason card_expired.',
  },
  {
    number: '4100000000752007',
    behaviour: { kind: 'decline', reason: 'unsupported_card' },
    does: 'Is declined by the acquirer with reason unsupported_card.',
  },
  {
    number: '4100000000753005',
    behaviour: { kind: 'book_late', pendingMs: 30_000 },
    does: 'Answers late: the order is pending for 30 seconds, then charged, then answered.',
  },
  {
    number: '4100000000754003',
    behaviour: { kind: 'book_and_stay_silent', holdMs: 120_000 },
    does: 'Times out: the charge is booked at once, but no answer comes while the connection is held, 120 seconds at most.',
  },
  {
    number: '4100000000755000',
    behaviour: { kind: 'drop' },
    does: 'Drops the connection without an answer, and nothing is booked.',
  },
  {
    number: '4100000000756008',
    behaviour: { kind: 'book_and_fail' },
    does: 'Is answered with HTTP 500 although the charge was booked.',
  },
  {
    number: '4100000000757006',
    behaviour: { kind: 'fail' },
    does: 'Is answered with HTTP 500, and nothing is booked.',
  },
  {
    number: '4100000000758004',
    behaviour: { kind: 'queue', queueMs: 5_000 },
    does: 'Waits in the queue: the connection is dropped at once, the order is not found for 5 seconds, then it is charged unless it was fenced meanwhile.',
  },
]

const behaviours = new Map(acquirerCards.map((card) => [card.number, card.behaviour]))

export const behaviourOf = (number: string): Behaviour => behaviours.get(number) ?? { kind: 'charge' }

const brandPrefixes: readonly { brand: Brand; from: number; to: number }[] = [
  { brand: 'visa', from: 4, to: 4 },
  { brand: 'master', from: 51, to: 55 },
  { brand: 'master', from: 2221, to: 2720 },
  { brand: 'jcb', from: 3528, to: 3589 },
  { brand: 'amex', from: 34, to: 34 },
  { brand: 'amex', from: 37, to: 37 },
  { brand: 'diners', from: 300, to: 305 },
  { brand: 'diners', from: 36, to: 36 },
  { brand: 'diners', from: 38, to: 39 },
  { brand: 'discover', from: 6011, to: 6011 },
  { brand: 'discover', from: 644, to: 649 },
  { brand: 'discover', from: 65, to: 65 },
]

export const brandOf = (number: string): Brand => {
  const match = brandPrefixes.find(({ from, to }) => {
    const prefix = Number(number.slice(0, String(from).length))
    return from <= prefix && prefix <= to
  })
  return match?.brand ?? 'unknown'
}

export const passesLuhn = (number: string): boolean => {
  const digits = Array.from(number, Number).toReversed()
  const sum = digits.reduce((total, digit, place) => {
    const weighed = place % 2 === 1 ? digit * 2 : digit
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}

export type SandboxCard = { number: string; brand: Brand; does: string }

export const sandboxCards: readonly SandboxCard[] = acquirerCards.map(({ number, does }) => ({
  number,
  brand: brandOf(number),
  does,
}))
