/** Command line: `npm run kaikei -- <command>`, beside a running server or over HTTP. */
import type { Environment } from '../config/readers.ts'
import { COMMAND_NAMES, releaseVersion } from '../config/release.ts'
import { messageOf } from '../log.ts'
import { COMMAND_GROUPS, COMMANDS, RENAMED } from './command-groups.ts'
import {
  asksForHelp,
  helpOf,
  isProblem,
  PROGRAM,
  readArguments,
  runAndPrint,
  type Command,
  type Terminal,
} from './command.ts'
import { closeTo } from './did-you-mean.ts'
import { printable, tableLines } from './table.ts'

const DONE = 0
const CANNOT = 2

/** The commands of each group below its title, all in the same columns. */
const groupLines = (isShown: (name: string) => boolean): string[] => {
  const shown = COMMAND_GROUPS.map(({ title, commands }) => ({
    title,
    rows: Object.entries(commands).flatMap(([name, { summary }]) => (isShown(name) ? [['', name, summary]] : [])),
  })).filter(({ rows }) => rows.length > 0)
  const widest = Math.max(...shown.flatMap(({ rows }) => rows.map(([, name = '']) => name.length)))
  return shown.flatMap(({ title, rows }, at) => [
    ...(at === 0 ? [] : ['']),
    title,
    // The empty column sets the others in; the heading, which is left out, makes all tables as wide.
    ...tableLines(['', 'command'.padEnd(widest), 'does'], rows, { wrap: ['does'] }).slice(1),
  ])
}

const wholeHelp = (): string[] => [
  ...groupLines(() => true),
  '',
  `Each explains itself: ${PROGRAM} help checkout create`,
  `Its release: ${PROGRAM} --version`,
  `The server itself: ${COMMAND_NAMES.start}`,
]

/** Those that begin with this word; null where none does. */
const helpOfWord = (word: string | undefined): string[] | null => {
  const names = [...COMMANDS.keys()].filter((name) => name.split(' ')[0] === word)
  const [example] = names
  return example === undefined
    ? null
    : [...groupLines((name) => names.includes(name)), `Each explains itself: ${PROGRAM} help ${example}`]
}

/** Words that could be a command are repeated to whoever has misspelt one. Whatever else was given may be a key or a card. */
const wordsIn = (args: readonly string[]): string[] =>
  args.filter((word) => /^[A-Za-z-]{0,20}$/.test(word) && !word.startsWith('-')).slice(0, 2)

/** An error may end in somebody's notes: no key and no card number stands in it, whatever it quotes. */
const withoutSecrets = (line: string): string =>
  printable(line)
    .replaceAll(/(sk|rk)_(test|live)_[A-Za-z0-9_]+/g, '$1_$2_…')
    // Not the rule of the log: it would take an address such as 192.168.100.101:5432 for one, which a mend must name.
    .replaceAll(/\p{Nd}(?:[ -]{0,3}\p{Nd}){12,}/gu, '[digits]')

/** A command by its name of today. */
interface NamedCommand {
  readonly name: string
  readonly command: Command
  /** The arguments behind the name. */
  readonly rest: readonly string[]
  /** The earlier name by which it was called. */
  readonly earlierName: string | null
}

const commandOf = (args: readonly string[]): NamedCommand | null => {
  for (const words of [args.slice(0, 2), args.slice(0, 1)]) {
    const called = words.join(' ')
    const name = RENAMED.get(called) ?? called
    const command = COMMANDS.get(name)
    if (command !== undefined)
      return { name, command, rest: args.slice(words.length), earlierName: name === called ? null : called }
  }
  return null
}

/** What is said to words that are no command: which are close, or which begin alike, and where all are listed. */
const unknownLines = (words: readonly string[]): string[] => {
  const said = `There is no command "${words.join(' ')}".`
  const all = `${PROGRAM} help lists all commands.`
  const meant = (close: readonly string[]): string[] => [`${said} Did you mean ${close.join(' or ')}? ${all}`]
  const names = [...COMMANDS.keys()]
  const closeNames = closeTo(words.join(' '), names)
  if (closeNames.length > 0) return meant(closeNames)
  const sameWord = helpOfWord(words[0])
  if (sameWord !== null) return [`${said} There is:`, ...sameWord]
  const closeWords = closeTo(words[0] ?? '', [...new Set(names.map((name) => name.split(' ')[0] ?? ''))])
  return closeWords.length > 0 ? meant(closeWords) : [`${said} ${all}`]
}

/** `help`, `help checkout create`, `help checkout`; null where these words are no command. */
const helpLines = (args: readonly string[]): string[] | null => {
  const found = commandOf(args)
  if (found !== null) return helpOf(found.name, found.command)
  return args.length === 0 ? wholeHelp() : helpOfWord(wordsIn(args)[0])
}

/** Answers the exit code. */
export const runCommandLine = async (
  args: readonly string[],
  env: Environment,
  terminal: Terminal,
): Promise<number> => {
  const { print } = terminal
  const printError = (line: string): void => terminal.printError(withoutSecrets(line))
  const printAll = (lines: readonly string[]): number => {
    for (const line of lines) print(line)
    return DONE
  }
  const cannot = (lines: readonly string[]): number => {
    for (const line of lines) printError(line)
    return CANNOT
  }
  const [first, ...others] = args
  if (first === '--version') return printAll([`kaikei ${releaseVersion()}`])
  if (first === 'help' || asksForHelp(args)) {
    const asked = (first === 'help' ? others : args).filter((word) => !asksForHelp([word]))
    const lines = helpLines(asked)
    return lines === null ? cannot(unknownLines(wordsIn(asked))) : printAll(lines)
  }
  if (first === undefined) return cannot(['Say what to do:', ...wholeHelp()])
  const found = commandOf(args)
  if (found === null) return cannot(unknownLines(wordsIn(args)))
  const { name, command, rest, earlierName } = found
  if (earlierName !== null) printError(`${earlierName} is now called ${name}; the old name still works.`)
  try {
    const given = readArguments(name, command, rest)
    const ending = isProblem(given) ? given : await runAndPrint(command, given, env, terminal)
    return typeof ending === 'number' ? ending : cannot([ending.problem])
  } catch (error) {
    return cannot([`${name} could not be finished: ${messageOf(error)}.`])
  }
}
