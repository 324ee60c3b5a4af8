/** Command: one thing that `npm run kaikei` can do, its arguments, and the text that explains it. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Environment } from '../config/readers.ts'
import { COMMAND_NAMES } from '../config/release.ts'
import { closeTo } from './did-you-mean.ts'
import { printableJson, TABLE_WIDTH, tableLines, wrapped } from './table.ts'

export const PROGRAM = COMMAND_NAMES.program

/** Why a command cannot be carried out, and how to mend it, in one line. */
export interface CommandProblem {
  readonly problem: string
}

export const isProblem = (value: object): value is CommandProblem => 'problem' in value

export interface Terminal {
  print(line: string): void
  printError(line: string): void
}

/** What a command has found out or done. */
export interface CommandAnswer {
  /** For programs: printed with --json, as one JSON value. */
  readonly value: unknown
  /** For people: printed without it. */
  readonly lines: readonly string[]
  /** Left out: 0. */
  readonly exitCode?: number
}

interface Option {
  /** What stands for its value in the help, such as `<label>`. */
  readonly value: string
  readonly help: string
  readonly isRequired?: boolean
  /** It may be given more than once. */
  readonly isRepeatable?: boolean
}

/** The arguments as they were given; all that are required are there. */
export interface Given {
  /** An argument by the name of its place, or an option by its own. */
  text(name: string): string
  textOrNull(name: string): string | null
  /** Every value of an option that may be repeated. */
  texts(name: string): readonly string[]
  /** Whether a program reads what is printed. */
  readonly json: boolean
}

export interface Command {
  readonly summary: string
  /** Arguments without a name, in order; each must be given. Left out: none. */
  readonly places?: readonly string[]
  /** Left out: none but --json. */
  readonly options?: Readonly<Record<string, Option>>
  /** Behind the program's name. */
  readonly example: string
  /** When it ends with 1 though it was carried out, such as "1 a check has failed". */
  readonly endsWithOne?: string
  /** Answers an exit code alone where it has printed what it found meanwhile. */
  run(given: Given, env: Environment, terminal: Terminal): Promise<CommandAnswer | CommandProblem | number>
}

/** Runs a command and prints its answer; answers the exit code. */
export const runAndPrint = async (
  command: Command,
  given: Given,
  env: Environment,
  terminal: Terminal,
): Promise<number | CommandProblem> => {
  const answer = await command.run(given, env, terminal)
  if (typeof answer === 'number' || isProblem(answer)) return answer
  for (const line of given.json ? [printableJson(answer.value)] : answer.lines) terminal.print(line)
  return answer.exitCode ?? 0
}

/** A file that an argument names. npm runs us in the project's folder; the file belongs where the command was typed. */
export const fileNamed = (env: Environment, name: string): string => resolve(env['INIT_CWD'] ?? '', name)

const INDENT = '  '

/** An option and its value stay together. */
const UNBROKEN = '\u00a0'

const usage = (name: string, { places = [], options = {} }: Command): string[] => {
  const words = [
    ...places.map((place) => `<${place}>`),
    ...Object.entries(options).map(([option, { value, isRequired = false, isRepeatable = false }]) => {
      const given = `--${option}${UNBROKEN}${value.replaceAll(' ', UNBROKEN)}`
      return isRequired ? given : `[${given}]${isRepeatable ? '…' : ''}`
    }),
    '[--json]',
  ]
  const [first = '', ...rest] = wrapped([PROGRAM, name, ...words].join(' '), TABLE_WIDTH - 2 * INDENT.length)
  return [first, ...rest.map((line) => INDENT + line)].map((line) => INDENT + line.replaceAll(UNBROKEN, ' '))
}

const exitCodes = ({ endsWithOne }: Command): string =>
  `Exit codes: 0 done; ${endsWithOne === undefined ? '' : `1 ${endsWithOne}; `}2 not done: a line says what to mend.`

export const helpOf = (name: string, command: Command): string[] => {
  const options = Object.entries(command.options ?? {}).map(([option, { value, help }]) => [
    `--${option} ${value}`,
    help,
  ])
  const rows = [...options, ['--json', 'for programs: one JSON value instead of a table']]
  return [
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    '',
    ...usage(name, command),
    '',
    // The empty column sets the others in.
    ...tableLines(
      ['', 'option', 'help'],
      rows.map((row) => ['', ...row]),
      { wrap: ['help'] },
    ).slice(1),
    '',
    exitCodes(command),
    `Example: ${PROGRAM} ${command.example}`,
  ]
}

const GENERAL = ['json', 'help']

/** Whether help is asked for, wherever it stands: nobody who asks for it wants anything done. */
export const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')

/** Reads the arguments of a command. What is wrong is named, and never quoted where it may be a key. */
export const readArguments = (name: string, command: Command, args: readonly string[]): Given | CommandProblem => {
  const { options = {} } = command
  const takes = Object.keys(options)
  const see = `see ${PROGRAM} ${name} --help`
  // Node reads bytes that are no UTF-8 so: what is stored would stand on a shopper's page.
  if (args.some((text) => text.includes('\ufffd')))
    return { problem: `${name} was given a text that is no UTF-8: set the terminal to UTF-8, such as LANG=C.UTF-8.` }
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean' },
      ...Object.fromEntries(takes.map((option) => [option, { type: 'string' } as const])),
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, readonly string[]>()
  const places = [...(command.places ?? [])]
  let json = false
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      const place = places.shift()
      if (place === undefined) return { problem: `${name} takes nothing more than it was given: ${see}.` }
      values.set(place, [token.value])
      continue
    }
    if (!takes.includes(token.name) && !GENERAL.includes(token.name)) {
      const [close] = closeTo(token.name, [...takes, ...GENERAL])
      const meant = close === undefined ? '' : ` did you mean --${close}? Or`
      return { problem: `${name} has no option ${token.rawName}:${meant} ${see}.` }
    }
    if (token.name === 'json') {
      json = true
      continue
    }
    const earlier = values.get(token.name) ?? []
    if (earlier.length > 0 && options[token.name]?.isRepeatable !== true)
      return { problem: `${token.rawName} is given twice: leave one out.` }
    // `--name --json`: the value was forgotten, and the next option is not it.
    if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--')))
      return { problem: `${token.rawName} has no value: ${see}.` }
    values.set(token.name, [...earlier, token.value])
  }
  const [missingPlace] = places
  if (missingPlace !== undefined) return { problem: `${name} does not say which ${missingPlace}: ${see}.` }
  const missing = takes.find((option) => options[option]?.isRequired === true && !values.has(option))
  if (missing !== undefined) return { problem: `${name} needs --${missing}: ${see}.` }
  const texts = (wanted: string): readonly string[] => values.get(wanted) ?? []
  const textOrNull = (wanted: string): string | null => texts(wanted)[0] ?? null
  return {
    json,
    texts,
    textOrNull,
    text: (wanted) => {
      const value = textOrNull(wanted)
      if (value === null) throw new Error(`${name} asks for ${wanted}, which it does not require`)
      return value
    },
  }
}
