/** Erase command: takes an address of a shopper out of the database, and says what stays. */
import { erase, type Erasure } from '../operations/erase.ts'
import { comparableAddress } from '#payment/erasure.ts'
import { findPersonByEmail } from '../store/people/people.ts'
import { PROGRAM, type Command, type CommandAnswer, type CommandProblem } from './command.ts'
import { withOperatorDependencies, type OperatorDependencies } from './operator-database.ts'

const WORDS: Readonly<Record<string, string>> = {
  checkouts: 'checkouts',
  attempts: 'payments',
  mails: 'mails',
  mail_addresses: 'registered mail addresses',
  events: 'events',
  delivery_tries: 'tries of webhooks',
  person_links: 'links of the console',
  person_mails: 'mails of the console',
  audit_lines: 'lines of the audit list',
  outbox: 'rows of the outbox',
}

const KEPT =
  'Kept, because the books need it: amounts, dates, order codes, the last four digits of the card, the ledger. Backups that were taken before hold the address until you delete them; merchants and mail servers that were told have it still.'

const NOTHING =
  'The address is nowhere in the database. Nothing was erased, so its files were not written anew: if you meant another address, give that one.'
const EARLIER =
  'The address is nowhere in the database. An earlier erasure had not written the files anew: that is done now.'

const linesOf = ({ erased, inFlight, merchants, isCompacted, isRewritten }: Erasure): string[] => {
  const found = Object.entries(erased).map(([table, rows]) => `${rows} ${WORDS[table] ?? table}`)
  return [
    found.length === 0 ? (isRewritten ? EARLIER : NOTHING) : `Erased in ${found.join(', ')}.`,
    KEPT,
    ...(merchants === 0 ? [] : [`${merchants} of the merchants have this address as their own: that was not touched.`]),
    ...(inFlight === 0
      ? []
      : [`Not complete: ${inFlight} payments with it are under way. Run this again when they have ended.`]),
    ...(isCompacted
      ? []
      : ['Not complete: the files could not be written anew while others used them. Run this again.']),
  ]
}

/** Payments queue behind the wait for a table, and a backup holds one for minutes: each wait ends after a second. */
const LOCK_WAIT_MS = 1000

export const eraseCommand: Command = {
  summary: 'erases an e-mail address of a shopper; payments and books stay',
  options: {
    email: { value: '<address>', help: 'the whole address; upper and lower case are the same', isRequired: true },
  },
  example: 'erase --email taro@example.com',
  endsWithOne: 'something is left: it says what',
  run: (given, env) => {
    const address = given.text('email').trim()
    if (!/^[^\s@]+@[^\s@]+$/u.test(address))
      return Promise.resolve({ problem: '--email is no address: give one such as taro@example.com.' })
    const eraseIn = async ({ database }: OperatorDependencies): Promise<CommandAnswer | CommandProblem> => {
      if ((await findPersonByEmail(database, comparableAddress(address))) !== null)
        return {
          problem: `This address signs in to the console: nothing was erased. Remove the person first: ${PROGRAM} person remove --email ${address}`,
        }
      const erasure = await erase(database, address)
      const isLeft = erasure.inFlight > 0 || !erasure.isCompacted
      return { value: erasure, lines: linesOf(erasure), exitCode: isLeft ? 1 : 0 }
    }
    return withOperatorDependencies(env, eraseIn, { lockMs: LOCK_WAIT_MS })
  },
}
