import type { Environment } from '../config/readers.ts'
import { COMMAND_NAMES } from '../config/release.ts'
import { messageOf } from '../log.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { changesCommand } from './changes.ts'
import { clockConfirm, clockShow } from './clock.ts'
import { checkoutCancel, checkoutCreate, checkoutList, checkoutRefund, checkoutShow } from './checkout/checkouts.ts'
import { checkoutOpen, checkoutQr } from './checkout/links.ts'
import { asksForHelp, helpOf, isProblem, PROGRAM, readArguments, type Command, type Terminal } from './command.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { doubtsCommand } from './doubts.ts'
import { eraseCommand } from './erase.ts'
import { keyCreate, keyList, keyRevoke, keyRoll } from './keys.ts'
import { mailAddressAdd, mailAddressList, mailAddressRemove } from './mail-addresses.ts'
import { merchantClose, merchantCreate, merchantList, merchantReopen, merchantShow } from './merchants.ts'
import { outboxList, outboxRetry } from './outbox.ts'
import { probeCommand } from './probe/probe.ts'
import { reconcileCommand } from './reconcile.ts'
import { sandboxCards } from './sandbox-cards.ts'
import { secretReset, secretRetire, secretRotate } from './secret.ts'
import { settleCommand } from './settle.ts'
import { printable, tableLines } from './table.ts'
import { listenCommand } from './webhook/listen.ts'
import {
  webhookAdd,
  webhookDeliveries,
  webhookList,
  webhookPing,
  webhookRemove,
  webhookRoll,
} from './webhook/webhooks.ts'

const CANNOT = 2

/** By one or two words. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['merchant create', merchantCreate],
  ['merchant list', merchantList],
  ['merchant show', merchantShow],
  ['merchant close', merchantClose],
  ['merchant reopen', merchantReopen],
  ['key create', keyCreate],
  ['key list', keyList],
  ['key roll', keyRoll],
  ['key revoke', keyRevoke],
  ['mail-address add', mailAddressAdd],
  ['mail-address list', mailAddressList],
  ['mail-address remove', mailAddressRemove],
  ['changes', changesCommand],
  ['doubts', doubtsCommand],
  ['outbox list', outboxList],
  ['outbox retry', outboxRetry],
  ['reconcile', reconcileCommand],
  ['reconcile settle', settleCommand],
  ['backup', backupCommand],
  ['restore', restoreCommand],
  ['erase', eraseCommand],
  ['secret rotate', secretRotate],
  ['secret retire', secretRetire],
  ['secret reset', secretReset],
  ['clock show', clockShow],
  ['clock confirm', clockConfirm],
  ['doctor', doctorCommand],
  ['probe', probeCommand],
  ['checkout create', checkoutCreate],
  ['checkout show', checkoutShow],
  ['checkout list', checkoutList],
  ['checkout cancel', checkoutCancel],
  ['checkout refund', checkoutRefund],
  ['checkout open', checkoutOpen],
  ['checkout qr', checkoutQr],
  ['webhook add', webhookAdd],
  ['webhook list', webhookList],
  ['webhook ping', webhookPing],
  ['webhook roll', webhookRoll],
  ['webhook remove', webhookRemove],
  ['webhook deliveries', webhookDeliveries],
  ['listen', listenCommand],
  ['sandbox cards', sandboxCards],
])

/** Those that begin with this word; all where none does. */
const listing = (word: string | undefined): string[] => {
  const all = [...COMMANDS]
  const near = all.filter(([name]) => name.split(' ')[0] === word)
  const shown = near.length === 0 ? all : near
  const rows = shown.map(([name, { summary }]) => ['', name, summary])
  return [
    // The empty column sets the others in.
    ...tableLines(['', 'command', 'does'], rows, { wrap: ['does'] }).slice(1),
    `Each explains itself: ${PROGRAM} ${shown[0]?.[0]} --help`,
    ...(near.length === 0 ? [`The server itself: ${COMMAND_NAMES.start}`] : []),
  ]
}

/** Words that could be a command are repeated to whoever has misspelt one. Whatever else was given may be a key or a card. */
const wordsIn = (args: readonly string[]): string[] =>
  args.filter((word) => /^[A-Za-z-]{0,20}$/.test(word) && !word.startsWith('-')).slice(0, 2)

/** An error may end in somebody's notes: no key and no card number stands in it, whatever it quotes. */
const withoutSecrets = (line: string): string =>
  printable(line)
    .replaceAll(/sk_(test|live)_[A-Za-z0-9]+/g, 'sk_$1_…')
    // Not the rule of the log: it would take an address such as 192.168.100.101:5432 for one, which a mend must name.
    .replaceAll(/\p{Nd}(?:[ -]{0,3}\p{Nd}){12,}/gu, '[digits]')

const commandOf = (args: readonly string[]): { readonly name: string; readonly rest: readonly string[] } | null => {
  const named = [args.slice(0, 2), args.slice(0, 1)].find((words) => COMMANDS.has(words.join(' ')))
  return named === undefined ? null : { name: named.join(' '), rest: args.slice(named.length) }
}

/** Command line: `npm run kaikei -- <command>`, beside a running server. Answers the exit code. */
export const runCommandLine = async (
  args: readonly string[],
  env: Environment,
  terminal: Terminal,
): Promise<number> => {
  const { print } = terminal
  const printError = (line: string): void => terminal.printError(withoutSecrets(line))
  const found = commandOf(args)
  const command = found === null ? undefined : COMMANDS.get(found.name)
  if (found === null || command === undefined) {
    const words = wordsIn(args)
    if (asksForHelp(args)) {
      for (const line of listing(words[0])) print(line)
      return 0
    }
    printError(words.length === 0 ? 'Say what to do:' : `There is no command "${words.join(' ')}". There is:`)
    for (const line of listing(words[0])) printError(line)
    return CANNOT
  }
  const { name, rest } = found
  if (asksForHelp(rest)) {
    for (const line of helpOf(name, command)) print(line)
    return 0
  }
  try {
    const given = readArguments(name, command, rest)
    const ending = isProblem(given) ? given : await command.run(given, env, terminal)
    if (typeof ending === 'number') return ending
    printError(ending.problem)
  } catch (error) {
    printError(`${name} could not be finished: ${messageOf(error)}.`)
  }
  return CANNOT
}
