/** Bots: how many cards each of them could ask about. */
import { decidedOutcome } from '../harness/fake-three-ds-servers.ts'
import { DECLINED, newCard, withLimitedServer, type Outside, type StopAfter } from './limited-server.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const addressOf = (bot: number): string => `2001:db8:${(bot >> 16).toString(16)}:${(bot & 0xffff).toString(16)}::1`

export type BotFigures = Readonly<Record<string, number>>

/** Keeps figures by their names, and reports each. */
export const figureNotes = (report: (line: string) => void) => {
  const figures: Record<string, number> = {}
  const note = (name: string, value: number): void => {
    figures[name] = value
    report(`${name}: ${value}`)
  }
  return { figures, note }
}

/** One link and a thousand cards, from one address or from a thousand. */
const oneLink = (addresses: number): Promise<number> =>
  withLimitedServer(async (server) => {
    const link = await server.newLink()
    for (let bot = 0; bot < 1000 && !(await server.isFailed(link)); bot += 1) {
      await server.try({ from: addressOf(bot % addresses), link, outside: { charge: DECLINED } })
      server.clock.advance(20 * MINUTE_MS)
    }
    return server.chargesAsked().total
  })

/** What an address does with its links, and how often in three hours. */
interface AddressBot {
  readonly outside?: Outside
  readonly stopAfter?: StopAfter
  readonly everyMs: number
}

const ADDRESS_BOTS: Readonly<Record<string, AddressBot>> = {
  declined: { outside: { charge: DECLINED }, everyMs: 5 * SECOND_MS },
  'refused by the issuer (N)': { outside: { issuer: decidedOutcome('N') }, everyMs: 5 * SECOND_MS },
  'refused by the issuer (R)': { outside: { issuer: decidedOutcome('R') }, everyMs: 5 * SECOND_MS },
  'not performed (U)': { outside: { issuer: decidedOutcome('U') }, everyMs: 5 * SECOND_MS },
  'decoupled (D)': { outside: { issuer: decidedOutcome('D') }, everyMs: 5 * SECOND_MS },
  'challenge given up': { outside: { issuer: 'challenge' }, stopAfter: 'challenge given up', everyMs: 5 * SECOND_MS },
  'left alone': { stopAfter: 'start', everyMs: 5 * SECOND_MS },
  'declined, slowly': { outside: { charge: DECLINED }, everyMs: 6 * MINUTE_MS },
}

/** One address and a thousand links and cards for three hours; answers how many questions it asked. */
const oneAddress = ({ everyMs, ...how }: AddressBot) =>
  withLimitedServer(async (server) => {
    const until = server.clock.now() + 3 * HOUR_MS
    // Last of the three hours: the end of the window is not yet the beginning of the next.
    while (server.clock.now() < until) {
      await server.try({ from: '203.0.113.7', isBot: true, ...how })
      server.clock.advance(everyMs)
    }
    return { questions: server.questionsAsked(), withoutChallenge: await server.startsWithoutChallenge() }
  })

/** All at the same moment. */
const oneAddressAtOnce = () =>
  withLimitedServer(async (server) => {
    const links = await Promise.all(Array.from({ length: 200 }, () => server.newLink()))
    await Promise.all(links.map((link) => server.try({ from: '203.0.113.7', link, stopAfter: 'start' })))
    return { questions: server.questionsAsked(), withoutChallenge: await server.startsWithoutChallenge() }
  })

/** One card whose security code is guessed, at many merchants, links and addresses. */
const oneCard = (hours: number): Promise<number> => {
  const merchants = Array.from({ length: 50 }, (_, place) => `shop${place}`)
  return withLimitedServer(async (server) => {
    const number = newCard()
    const until = server.clock.now() + hours * HOUR_MS
    for (let bot = 0; server.clock.now() < until; bot += 1) {
      const merchant = merchants[bot % merchants.length] ?? ''
      await server.try({ from: addressOf(bot), merchant, number, outside: { charge: DECLINED } })
      server.clock.advance((hours * HOUR_MS) / 300)
    }
    return server.chargesAsked().total
  }, merchants)
}

/** As many addresses and links as cards, at one merchant: only the forced challenge can notice. */
const distributed = (tries: number) =>
  withLimitedServer(async (server) => {
    let chargesBefore: number | undefined
    for (let bot = 0; bot < tries; bot += 1) {
      const before = server.chargesAsked().total
      await server.try({ from: addressOf(bot), isBot: true, outside: { charge: DECLINED } })
      // A card that is not charged any more was to be challenged.
      if (chargesBefore === undefined && server.chargesAsked().total === before) chargesBefore = before
      server.clock.advance(100)
    }
    const { total, challenged } = server.chargesAsked()
    return { charges: total, unchallengedWhileForced: total - challenged - (chargesBefore ?? 0) }
  })

/** Every bot by the number of questions or charges that it reached. */
export const runBots = async (distributedTries: number, report: (line: string) => void): Promise<BotFigures> => {
  const { figures, note } = figureNotes(report)
  const noteAddress = (name: string, asked: Awaited<ReturnType<typeof oneAddress>>): void => {
    note(`${name}: questions`, asked.questions)
    note(`${name}: without a challenge`, asked.withoutChallenge)
  }
  note('one link, one address: charges', await oneLink(1))
  note('one link, 1000 addresses: charges', await oneLink(1000))
  for (const [name, bot] of Object.entries(ADDRESS_BOTS))
    noteAddress(`one address, three hours, ${name}`, await oneAddress(bot))
  noteAddress('one address, 200 starts at once', await oneAddressAtOnce())
  note('one card, one hour: charges', await oneCard(1))
  note('one card, 24 hours: charges', await oneCard(24))
  const attack = await distributed(distributedTries)
  note('distributed: cards tried', distributedTries)
  note('distributed: charges before the forced challenge', attack.charges)
  note('distributed: charges without a challenge while a challenge is forced', attack.unchallengedWhileForced)
  return figures
}
