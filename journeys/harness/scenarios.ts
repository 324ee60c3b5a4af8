/** 3-D Secure scenarios: every way an authentication can go, by the test cards, and where the page must end. */

/** What the shopper does in the challenge. */
export type ChallengeAction =
  | 'is not asked'
  | 'types the code'
  | 'types the code after a while'
  | 'types three wrong codes'
  | 'cancels'
  | 'does nothing'
  | 'sees nothing'

/** `by policy`: paid, unless the merchant refuses such cards. */
export type ScenarioEnd = 'paid' | 'modal' | 'modal, not authenticated' | 'init_start' | 'by policy'

/** The calls that the page makes, in order, and when the bank's page is loaded; reads are left out. */
export type ScenarioSteps =
  | 'start'
  | 'start pay'
  | 'start collect-error'
  | 'start authenticate'
  | 'start authenticate pay'
  | 'start authenticate bank pay'
  | 'start authenticate bank challenge-error'

export interface Scenario {
  readonly number: number
  readonly title: string
  readonly cards: readonly string[]
  readonly inChallenge: ChallengeAction
  readonly steps: ScenarioSteps
  readonly ends: ScenarioEnd
  /** Whether its first card is part of every test run; the other cards are run by the proof only. */
  readonly everyRun: boolean
}

/** Where a card is paid with the right code, in the bank’s app or without 3-D Secure, other journeys of every run pay so. */
const NUMBERS_OF_EVERY_RUN = [17, 21]

const scenario = (
  number: number,
  cards: readonly string[],
  title: string,
  ends: ScenarioEnd,
  {
    inChallenge = 'is not asked',
    steps = 'start authenticate pay',
  }: Partial<Pick<Scenario, 'inChallenge' | 'steps'>> = {},
): Scenario => ({ number, title, cards, inChallenge, steps, ends, everyRun: NUMBERS_OF_EVERY_RUN.includes(number) })

const withChallenge = (inChallenge: ChallengeAction): Pick<Scenario, 'inChallenge' | 'steps'> => ({
  inChallenge,
  steps: 'start authenticate bank pay',
})

export const SCENARIOS: readonly Scenario[] = [
  scenario(1, ['4242424242424242'], 'a card that passes after the bank’s method is paid', 'paid'),
  scenario(2, ['4111111111111111'], 'a card whose bank has no method is paid', 'paid'),
  scenario(3, ['5555555555554444'], 'a Mastercard that passes is paid', 'paid'),
  scenario(4, ['5105105105105100'], 'a card outside 3-D Secure is paid without an authentication', 'by policy', {
    steps: 'start pay',
  }),
  scenario(
    5,
    ['4100000000000100', '5100000000000107', '3528000000000106', '340000000000108', '6440000000000104'],
    'a card that passes at once is paid',
    'paid',
  ),
  scenario(6, ['4100000000600008'], 'a card that passes after its bank’s method is paid', 'paid'),
  scenario(
    7,
    ['4100000000005000', '5100000000005007', '3528000000005006', '340000000005008'],
    'the right code in the challenge is paid',
    'paid',
    withChallenge('types the code'),
  ),
  scenario(
    8,
    ['4100000000100009', '3528000000100005', '5100000000100006'],
    'an authentication that was only attempted is paid',
    'by policy',
  ),
  scenario(9, ['4100000000300005'], 'a failed authentication ends in the modal and nothing is charged', 'modal'),
  scenario(10, ['4100000000400003'], 'an unavailable bank ends in the modal and nothing is charged', 'modal'),
  scenario(11, ['4100000000500000'], 'a card that its bank rejects ends in the modal', 'modal'),
  scenario(
    12,
    ['4100000000710005'],
    'three wrong codes end in the modal and nothing is charged',
    'modal',
    withChallenge('types three wrong codes'),
  ),
  scenario(
    13,
    ['4100000000711003'],
    'a challenge cancelled at the bank ends in the modal',
    'modal, not authenticated',
    withChallenge('cancels'),
  ),
  scenario(
    14,
    ['4100000000712001'],
    'a shopper who stays idle ends in the modal',
    'modal, not authenticated',
    withChallenge('does nothing'),
  ),
  scenario(
    15,
    ['4100000000713009'],
    'a bank that refuses the frame ends in the modal',
    'modal, not authenticated',
    withChallenge('sees nothing'),
  ),
  scenario(
    16,
    ['4100000000715004'],
    'a purchase approved in the bank’s app is paid',
    'paid',
    withChallenge('does nothing'),
  ),
  scenario(
    17,
    ['4100000000716002'],
    'a result that is announced twice and polled is paid exactly once',
    'paid',
    withChallenge('types the code'),
  ),
  scenario(18, ['4100000000717000'], 'an unknown message in the challenge leads back to the form', 'init_start', {
    inChallenge: 'types the code',
    steps: 'start authenticate bank challenge-error',
  }),
  scenario(19, ['4100000000720004'], 'a method that never ends does not keep the card from being paid', 'paid'),
  scenario(
    20,
    ['4100000000721002'],
    'a method that ends late does not disturb the challenge, which is paid',
    'paid',
    withChallenge('types the code after a while'),
  ),
  scenario(21, ['4100000000722000'], 'an unknown message while collecting leads back to the form', 'init_start', {
    steps: 'start collect-error',
  }),
  scenario(22, ['4100000000723008'], 'a silent collect host does not keep the card from being paid', 'paid'),
  scenario(23, ['4100000000724006'], 'a method that reports an error and then finishes is paid', 'paid'),
  scenario(24, ['4100000000730003'], 'a 3-D Secure server that is down ends in the modal', 'modal', { steps: 'start' }),
  scenario(25, ['4100000000731001'], 'an authentication that fails once is asked again and paid', 'paid'),
  scenario(26, ['4100000000732009'], 'an authentication without an answer ends in the modal', 'modal', {
    steps: 'start authenticate',
  }),
  scenario(
    27,
    ['4100000000733007'],
    'a challenge result that cannot be read at first is paid',
    'paid',
    withChallenge('types the code'),
  ),
  scenario(28, ['4100000000740002'], 'a card that is not enrolled is paid where the merchant allows it', 'by policy', {
    steps: 'start pay',
  }),
  scenario(
    29,
    ['4100000000750001', '4100000000751009', '4100000000752007'],
    'an authenticated card that the acquirer declines ends in the modal',
    'modal',
  ),
  scenario(29, ['4100000000754003'], 'a charge without an answer is looked up, and made exactly once', 'paid'),
  scenario(
    30,
    ['4100000000760000', '4100000000761008', '4100000000762006'],
    'an authentication that proves nothing ends in the modal and nothing is charged',
    'modal',
  ),
  scenario(31, ['36000000000008'], 'a Diners Club card of 14 digits is paid', 'paid'),
]
