/** Command: one thing that `npm run kaikei` can do, its arguments, and the text that explains it. */
import { parseArgs } from 'node:util'
import type { Environment } from '../config/readers.ts'

export const PROGRAM = 'npm run -s kaikei --'

/** Why a command cannot be carried out, and how to mend it, in one line. */
export interface CommandProblem {
  readonly problem: string
}

export const isProblem = (value: object): value is CommandProblem => 'problem' in value

export interface Terminal {
  print(line: string): void
  printError(line: string): void
}

interface Option {
  /** What stands for its value in the help, such as `<label>`. */
  readonly value: string
  readonly help: string
  readonly isRequired?: boolean
}

/** The arguments as they were given; all that are required are there. */
export interface Given {
  /** An argument by the name of its place, or an option by its own. */
  text(name: string): string
  textOrNull(name: string): string | null
  /** Whether a program reads what is printed. */
  readonly json: boolean
}

export interface Command {
  readonly summary: string
  /** Arguments without a name, in order; each must be given. */
  readonly places: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** Behind the program's name. */
  readonly example: string
  /** Answers the exit code. */
  run(given: Given, env: Environment, terminal: Terminal): Promise<number | CommandProblem>
}

const usage = (name: string, { places, options }: Command): string =>
  [
    PROGRAM,
    name,
    ...places.map((place) => `<${place}>`),
    ...Object.entries(options).map(([option, { value, isRequired = false }]) =>
      isRequired ? `--${option} ${value}` : `[--${option} ${value}]`,
    ),
    '[--json]',
  ].join(' ')

export const helpOf = (name: string, command: Command): string[] => {
  const options = Object.entries(command.options).map(([option, { value, help }]) => [`--${option} ${value}`, help])
  const rows = [...options, ['--json', 'for programs: JSON instead of a table']]
  const width = Math.max(...rows.map(([left = '']) => left.length))
  return [
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    '',
    `  ${usage(name, command)}`,
    '',
    ...rows.map(([left = '', help = '']) => `  ${left.padEnd(width)}   ${help}`),
    '',
    `Example: ${PROGRAM} ${command.example}`,
  ]
}

const GENERAL = ['json', 'help']

/** Whether help is asked for, wherever it stands: nobody who asks for it wants anything done. */
export const asksForHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h')

/** Reads the arguments of a command. What is wrong is named, and never quoted where it may be a key. */
export const readArguments = (name: string, command: Command, args: readonly string[]): Given | CommandProblem => {
  const takes = Object.keys(command.options)
  const see = `see ${PROGRAM} ${name} --help`
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
  const values = new Map<string, string>()
  const places = [...command.places]
  let json = false
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      const place = places.shift()
      if (place === undefined) return { problem: `${name} takes nothing more than it was given: ${see}.` }
      values.set(place, token.value)
      continue
    }
    if (!takes.includes(token.name) && !GENERAL.includes(token.name))
      return { problem: `${name} has no option ${token.rawName}: ${see}.` }
    if (token.name === 'json') {
      json = true
      continue
    }
    if (values.has(token.name)) return { problem: `${token.rawName} is given twice: leave one out.` }
    // `--name --json`: the value was forgotten, and the next option is not it.
    if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--')))
      return { problem: `${token.rawName} has no value: ${see}.` }
    values.set(token.name, token.value)
  }
  const [missingPlace] = places
  if (missingPlace !== undefined) return { problem: `${name} does not say which ${missingPlace}: ${see}.` }
  const missing = takes.find((option) => command.options[option]?.isRequired === true && !values.has(option))
  if (missing !== undefined) return { problem: `${name} needs --${missing}: ${see}.` }
  const textOrNull = (wanted: string): string | null => values.get(wanted) ?? null
  return {
    json,
    textOrNull,
    text: (wanted) => {
      const value = textOrNull(wanted)
      if (value === null) throw new Error(`${name} asks for ${wanted}, which it does not require`)
      return value
    },
  }
}
