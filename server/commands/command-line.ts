import type { Environment } from '../config/readers.ts'
import { messageOf } from '../log.ts'
import { asksForHelp, helpOf, isProblem, PROGRAM, readArguments, type Command, type Terminal } from './command.ts'
import { keyCreate, keyList, keyRevoke, keyRoll } from './keys.ts'
import { merchantClose, merchantCreate, merchantList, merchantShow } from './merchants.ts'
import { reconcileCommand } from './reconcile.ts'

const CANNOT = 2

/** By one or two words. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['merchant create', merchantCreate],
  ['merchant list', merchantList],
  ['merchant show', merchantShow],
  ['merchant close', merchantClose],
  ['key create', keyCreate],
  ['key list', keyList],
  ['key roll', keyRoll],
  ['key revoke', keyRevoke],
  ['reconcile', reconcileCommand],
])

/** Those that begin with this word; all where none does. */
const listing = (word: string | undefined): string[] => {
  const all = [...COMMANDS.keys()]
  const near = all.filter((name) => name.split(' ')[0] === word)
  const shown = near.length === 0 ? all : near
  const width = Math.max(...shown.map((name) => name.length))
  return [
    ...shown.map((name) => `  ${PROGRAM} ${name.padEnd(width)}   ${COMMANDS.get(name)?.summary}`),
    `Each explains itself: ${PROGRAM} ${shown[0]} --help`,
  ]
}

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
  const { print, printError } = terminal
  const found = commandOf(args)
  const command = found === null ? undefined : COMMANDS.get(found.name)
  if (found === null || command === undefined) {
    const words = args.filter((word) => !word.startsWith('-')).slice(0, 2)
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
