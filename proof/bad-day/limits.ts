/** Limits of the bad day: what each figure was before the mends, measured by this proof, and what it may be. */
export interface Limit {
  readonly before: number | 'no payment' | 'not measured'
  readonly most?: number
  readonly least?: number
}

type Limits = Readonly<Record<string, Limit>>

const PAY_P99_MOST_MS = 500
/** Beside a flood, in times of the quiet p99 of the same run. */
const PAY_P99_MOST_TIMES = 2.5

/** From the creation of a checkout to the answer that it is paid. */
const WHOLE_P99_MOST_MS = 2000

type Before = Limit['before']
type FloodBefore = readonly [payP99: Before, timesQuiet: Before, wholeP99: Before, refused: number]

const FLOODS_BEFORE: Readonly<Record<string, FloodBefore>> = {
  'SQLite, 300 readers of a link': [981, 12.1, 7786, 0],
  'SQLite, 1,000 readers of a link': [2852, 35.2, 8553, 0],
  'SQLite, 1,000 made-up keys': [1959, 24.2, 5634, 0],
  'SQLite, 100 exports': ['no payment', 'no payment', 'no payment', 4],
  'SQLite, 20 exports': [756, 9.3, 1855, 0],
  'SQLite, 20 changed settings': [292, 3.6, 712, 0],
  'SQLite, 20 creates with ligatures': [1153, 14.2, 2963, 0],
  'SQLite, 20 JPEGs of fill bytes': [1346, 16.6, 3134, 0],
  'SQLite, 20 lists': [2640, 32.6, 6796, 0],
  'SQLite, previews in a loop': [2403, 29.6, 4094, 0],
  'PostgreSQL, 1,000 readers of a link': [981, 6.9, 11439, 0],
  'PostgreSQL, 1,000 made-up keys': [2784, 19.5, 6494, 0],
  'PostgreSQL, 100 exports': [3072, 21.5, 7955, 0],
  'PostgreSQL, 20 lists': [518, 3.6, 1275, 0],
}

const ofFlood = ([name, [payP99, timesQuiet, wholeP99, refused]]: readonly [string, FloodBefore]): readonly [
  string,
  Limit,
][] => [
  [`${name}: pay p99 ms`, { before: payP99, most: PAY_P99_MOST_MS }],
  [`${name}: pay p99, times the quiet one`, { before: timesQuiet, most: PAY_P99_MOST_TIMES }],
  [`${name}: whole payment p99 ms`, { before: wholeP99, most: WHOLE_P99_MOST_MS }],
  [`${name}: payments refused`, { before: refused, most: 0 }],
]

const longestPieces = (before: Readonly<Record<string, number>>): Limits =>
  Object.fromEntries(
    Object.entries(before).map(([name, ms]) => [`${name}, ms of its longest piece`, { before: ms, most: 20 }]),
  )

/** As the attack counted them: the code of then has no way to say which card was challenged. */
const stolenCards = (before: Readonly<Record<string, number>>): Limits =>
  Object.fromEntries(
    Object.entries(before).map(([name, cards]) => [
      `${name}: stolen cards without a challenge`,
      { before: cards, most: 60 },
    ]),
  )

const jump = (
  name: string,
  [lost, meanwhile, afterwards, alarm]: readonly [number, number, number, number],
): Limits => ({
  [`${name}: lost`]: { before: lost, most: 0 },
  [`${name}: payments of 3 paid meanwhile`]: { before: meanwhile, least: 3 },
  [`${name}: payments of 3 paid afterwards`]: { before: afterwards, least: 3 },
  [`${name}: seconds until an alarm`]: { before: alarm, most: 20 },
})

type Engines<T> = Readonly<Record<'SQLite' | 'PostgreSQL', T>>

const idleServers = (before: Engines<readonly [few: Before, many: Before, mailsWait: Before]>): Limits =>
  Object.fromEntries(
    Object.entries(before).flatMap(([engine, [few, many, mailsWait]]) => [
      [`${engine}, idle with 10000 checkouts: main thread %`, { before: few, most: 2 }],
      [`${engine}, idle with 210000 checkouts: main thread %`, { before: many, most: 2 }],
      [`${engine}, idle with 20000 mails that wait: main thread %`, { before: mailsWait, most: 2 }],
    ]),
  )

const searches = (before: Engines<readonly [payP99: Before, timesQuiet: Before]>): Limits =>
  Object.fromEntries(
    Object.entries(before).flatMap(([engine, [payP99, timesQuiet]]) => {
      const name = `${engine}, 20 searches among 210000 checkouts`
      return [
        [`${name}: pay p99 ms`, { before: payP99, most: PAY_P99_MOST_MS }],
        [`${name}: pay p99, times the quiet one`, { before: timesQuiet, most: PAY_P99_MOST_TIMES }],
        [`${name}: payments refused`, { before: 0, most: 0 }],
      ]
    }),
  )

export const LIMITS: Readonly<Record<string, Limits>> = {
  'request-cost': {
    'generated requests': { before: 11_722, least: 100_000 },
    'dearest generated request, ms of CPU': { before: 2209, most: 20 },
    ...longestPieces({
      'preview of three compressed Japanese texts': 18.3,
      'preview of 3,000 apostrophes': 1577,
      'export of 4,570 rows': 9.1,
      'JPEG of fill bytes': 5.3,
      'JPEG of stuffed bytes': 15.4,
      'PNG of 4096 × 4096 in 16 bits': 7,
    }),
    'one short address, ms of CPU': { before: 25_383, most: 100 },
    'pay 150 ms after the short address, ms': { before: 60_018, most: PAY_P99_MOST_MS },
  },
  floods: {
    ...Object.fromEntries(Object.entries(FLOODS_BEFORE).flatMap(ofFlood)),
    'uploads of another merchant refused, of 20': { before: 20, most: 0 },
  },
  'card-testing': {
    'honest payments of 10 after 24 starts by strangers': { before: 10, least: 10 },
    'honest payments of 10 after 240 starts by strangers': { before: 3, least: 10 },
    'honest payments of 10 after 2400 starts by strangers': { before: 0, least: 10 },
    'starts of 10 refused at another shop from the address of a stranger': { before: 10, most: 0 },
    ...stolenCards({
      'behind payments with one own card, one network': 300,
      'behind payments with one own card, many networks': 300,
      'beside 1402 payments an hour of a busy shop, beyond its usual': 639,
      'from one IPv6 /48 at five shops': 1025,
    }),
    'a sale: minutes under a forced challenge': { before: 0, most: 0 },
    'a sale: honest tries refused': { before: 0, most: 0 },
  },
  sqlite: {
    'links of 20,000 still open after two minutes': { before: 0, most: 0 },
    'longest pause of the event loop while links end, ms': { before: 115_293, most: 50 },
    'longest reading while another process holds the lock, ms': { before: 12_072, most: 100 },
    'payments of 5 paid that began under a foreign lock': { before: 5, least: 5 },
    'doubts of a foreign lock': { before: 0, most: 0 },
  },
  clocks: {
    ...jump('clock two years ahead', [20, 3, 3, 30]),
    ...jump('clock a day back', [0, 3, 3, 30]),
    'a month off: payments of 3 paid afterwards': { before: 3, least: 3 },
    'a month off: alarms': { before: 0, most: 0 },
  },
  'disk-full': {
    'full disk: seconds until an alarm': { before: 60, most: 20 },
    'full disk: seconds until /readyz says 503': { before: 60, most: 20 },
    'full disk: seconds until kaikei_database_up is 0': { before: 60, most: 20 },
    'full disk: seconds until a payment is paid again': { before: 0.1, most: 20 },
    'full disk: seconds until /readyz says 200 again': { before: 0, most: 20 },
  },
  outbox: {
    'healthy ping beside slow endpoints, seconds': { before: 30, most: 5 },
    'pays of 20 reset by a stop, at most': { before: 17, most: 0 },
    'pull after 91 quiet days, status': { before: 400, most: 200 },
    'new events pulled after 91 quiet days': { before: 0, least: 1 },
  },
  misuse: {
    'mails of 25 to a stranger beyond one': { before: 24, most: 0 },
    'mails to a stranger with a text of the shop': { before: 25, most: 0 },
    'genuine backups restored': { before: 1, least: 1 },
    'forged backups restored': { before: 1, most: 0 },
    'card numbers kept of an endpoint’s answer': { before: 2, most: 0 },
    'metrics told to a foreign host': { before: 1, most: 0 },
    'browser facts kept after a day': { before: 1, most: 0 },
    'payments of 5 paid after one card’s five silences': { before: 0, least: 5 },
  },
  'large-shop': {
    // The 210,000 of then had mails that waited; 30 % with 177,000 of them.
    ...idleServers({ SQLite: [1.5, 21, 30], PostgreSQL: ['not measured', 'not measured', 'not measured'] }),
    ...searches({ SQLite: [6074, 'not measured'], PostgreSQL: ['not measured', 'not measured'] }),
  },
}
