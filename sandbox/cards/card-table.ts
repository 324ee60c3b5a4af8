/** Card table: every card of the sandbox, what its bank and its acquirer do with it, and what a reader is told of it. */
import {
  challenged,
  frictionless,
  notEnrolled,
  type AcquirerBehaviour,
  type CollectingBehaviour,
  type DeclineReason,
  type InjectedFault,
  type ThreeDSScenario,
} from './scenarios.ts'

/** Sandbox card: what its bank and its acquirer do, and the two texts about it in the list of cards. */
export interface CardRow {
  readonly number: string
  readonly description: string
  readonly outcome: string
  readonly threeDS: ThreeDSScenario
  readonly acquirer: AcquirerBehaviour
}

const card = (
  number: string,
  outcome: string,
  threeDS: ThreeDSScenario,
  description: string,
  acquirer: AcquirerBehaviour = { kind: 'charge' },
): CardRow => ({ number, description, outcome, threeDS, acquirer })

/** A card whose bank authenticates it: what differs is the acquirer. */
const acquirerCard = (number: string, outcome: string, acquirer: AcquirerBehaviour, description: string): CardRow =>
  card(number, outcome, PASSES, description, acquirer)

const declinedCard = (number: string, reason: DeclineReason): CardRow =>
  acquirerCard(number, REFUSED, { kind: 'decline', reason }, `Is declined by the acquirer with reason ${reason}.`)

const PAID = 'Paid'
const REFUSED = 'Refused, nothing is charged'
const BACK_TO_FORM = 'Back to the form, nothing is charged'

const POLICY = 'By the merchant’s policy'

const PASSES = frictionless()
const collecting = (behaviour: CollectingBehaviour): ThreeDSScenario =>
  frictionless('authenticated', { collecting: behaviour })
const failing = (fault: InjectedFault): ThreeDSScenario => frictionless('authenticated', { fault })
const NO_METHOD = collecting('no_method')

const withoutChallenge: readonly CardRow[] = [
  card('4242424242424242', PAID, PASSES, 'Passes without a challenge, as any unlisted number does.'),
  card('4111111111111111', PAID, NO_METHOD, 'Passes; its bank has no 3DS method.'),
  card('5555555555554444', PAID, PASSES, 'Passes without a challenge, as a Mastercard.'),
  card('5105105105105100', POLICY, notEnrolled('works'), 'Does not take part in 3-D Secure.'),
  card('4100000000000100', PAID, NO_METHOD, 'Passes at once, with no 3DS method.'),
  card('5100000000000107', PAID, NO_METHOD, 'Passes at once, as a Mastercard.'),
  card('3528000000000106', PAID, NO_METHOD, 'Passes at once, as a JCB card.'),
  card('340000000000108', PAID, NO_METHOD, 'Passes at once, as an American Express card.'),
  card('6440000000000104', PAID, NO_METHOD, 'Passes at once, as a Discover card.'),
  card('36000000000008', PAID, PASSES, 'Passes without a challenge, as a Diners Club card of 14 digits.'),
  card('4100000000600008', PAID, PASSES, 'Passes after the bank’s 3DS method has run.'),
  card('4100000000100009', POLICY, frictionless('attempted'), 'Is only attempted (A, ECI 06).'),
  card('3528000000100005', POLICY, frictionless('attempted'), 'Is only attempted, as a JCB card.'),
  card('5100000000100006', POLICY, frictionless('attempted'), 'Is only attempted (A, ECI 01).'),
  card('4100000000300005', REFUSED, frictionless('failed'), 'Fails without a challenge (N, reason 01).'),
  card('4100000000400003', REFUSED, frictionless('unavailable'), 'Cannot be authenticated now (U, reason 22).'),
  card('4100000000500000', `${REFUSED}; blocked`, frictionless('rejected'), 'Is rejected by its bank (R, reason 11).'),
  card('4100000000760000', REFUSED, frictionless('decoupled'), 'Is answered with a decoupled authentication (D).'),
  card('4100000000761008', REFUSED, frictionless('informational'), 'Is answered for information only (I).'),
  card(
    '4100000000762006',
    REFUSED,
    frictionless('authenticated_without_proof'),
    'Passes without a proof (Y, no value).',
  ),
]

const withChallenge: readonly CardRow[] = [
  card('4100000000005000', PAID, challenged(), 'Asks for the code 123456; three tries, or Cancel.'),
  card('5100000000005007', PAID, challenged(), 'Asks for the code, as a Mastercard.'),
  card(
    '3528000000005006',
    PAID,
    challenged('code', { fault: 'result_incomplete' }),
    'Asks for the code, as a JCB card; its result names neither dsTransID nor messageVersion.',
  ),
  card('340000000005008', PAID, challenged(), 'Asks for the code, as an American Express card.'),
  card('4100000000710005', REFUSED, challenged('every_code_wrong'), 'Asks for a code and takes none: three tries.'),
  card('4100000000711003', REFUSED, challenged('cancel_only'), 'Asks for a code; Cancel is the only way out.'),
  card(
    '4100000000712001',
    REFUSED,
    challenged('never_finishes'),
    'Shows a challenge that never finishes; 30 seconds after it was opened only polling tells of its end.',
  ),
  card(
    '4100000000713009',
    REFUSED,
    challenged('not_frameable'),
    'Its bank forbids the frame; 30 seconds later only polling tells of the end.',
  ),
  card(
    '4100000000715004',
    PAID,
    challenged('out_of_band'),
    'Is approved in the bank’s app after 10 seconds; only polling tells of it.',
  ),
  card('4100000000716002', `${PAID}, once`, challenged('event_sent_twice'), 'Announces its result twice.'),
  card('4100000000717000', BACK_TO_FORM, challenged('unknown_event'), 'Ends its challenge with an event nobody knows.'),
]

const withThreeDSFault: readonly CardRow[] = [
  card(
    '4100000000720004',
    PAID,
    collecting('method_never_ends'),
    'Its 3DS method never ends: the watch page speaks after 10 seconds.',
  ),
  card(
    '4100000000721002',
    PAID,
    challenged('code', { collecting: 'method_ends_late' }),
    'Its 3DS method ends one second after the watch page has spoken; then it asks for the code.',
  ),
  card('4100000000722000', BACK_TO_FORM, collecting('unknown_event'), 'Collecting ends with an event nobody knows.'),
  card(
    '4100000000723008',
    PAID,
    collecting('never_answers'),
    'Its collect and watch pages never answer; they hang up after 60 seconds.',
  ),
  card(
    '4100000000724006',
    PAID,
    collecting('method_fails_first'),
    'Its 3DS method reports an error and finishes all the same.',
  ),
  card('4100000000730003', REFUSED, failing('init_unavailable'), 'Init answers 503.'),
  card('4100000000731001', PAID, failing('auth_fails_once'), 'Auth answers 500 once.'),
  card('4100000000732009', REFUSED, failing('auth_never_answers'), 'Auth never answers; it hangs up after 60 seconds.'),
  card(
    '4100000000733007',
    PAID,
    challenged('code', { fault: 'result_fails_once' }),
    'Asks for the code; then its result answers 503 once.',
  ),
  card(
    '4100000000740002',
    POLICY,
    notEnrolled('not_participating'),
    'Does not take part in 3-D Secure, and init says so as well (error 1005).',
  ),
]

const withAcquirerFault: readonly CardRow[] = [
  declinedCard('4100000000750001', 'card_declined'),
  declinedCard('4100000000751009', 'card_expired'),
  declinedCard('4100000000752007', 'unsupported_card'),
  acquirerCard(
    '4100000000753005',
    PAID,
    { kind: 'charge_late', pendingMs: 30_000 },
    'Answers late: the order is pending for 30 seconds, then charged, then answered.',
  ),
  acquirerCard(
    '4100000000754003',
    `${PAID}, once`,
    { kind: 'charge_then_never_answer', holdMs: 120_000 },
    'Times out: the charge is booked at once, but no answer comes while the connection is held, 120 seconds at most.',
  ),
  acquirerCard(
    '4100000000755000',
    REFUSED,
    { kind: 'drop_connection' },
    'Drops the connection without an answer, and nothing is booked.',
  ),
  acquirerCard(
    '4100000000756008',
    `${PAID}, once`,
    { kind: 'charge_then_answer_500' },
    'Is answered with HTTP 500 although the charge was booked.',
  ),
  acquirerCard(
    '4100000000757006',
    REFUSED,
    { kind: 'answer_500' },
    'Is answered with HTTP 500, and nothing is booked.',
  ),
  acquirerCard(
    '4100000000758004',
    'Paid or refused, never both',
    { kind: 'queue_charge', queueMs: 5_000 },
    'Waits in the queue: the connection is dropped at once, the order is not found for 5 seconds, then it is charged unless it was fenced meanwhile.',
  ),
]

interface CardGroup {
  readonly title: string
  readonly cards: readonly CardRow[]
}

/** Durations are at time scale 1. A number that is not here behaves as the first one does. */
export const cardGroups: readonly CardGroup[] = [
  { title: 'Without a challenge', cards: withoutChallenge },
  { title: 'With a challenge', cards: withChallenge },
  { title: 'When 3-D Secure stumbles', cards: withThreeDSFault },
  { title: 'When the acquirer stumbles', cards: withAcquirerFault },
]

export const sandboxCards: readonly CardRow[] = cardGroups.flatMap(({ cards }) => cards)
