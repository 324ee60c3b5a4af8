/** Setting options: one option of `settings set` for each field of the contract, and the value that its text stands for. */
import { isPageLocale, toWireLocale } from '#contract/locale.ts'
import { ChangeSettingsBody } from '#contract/merchant/settings.ts'
import type { CommandProblem } from '../command.ts'

/** What a text on the command line can be made into. */
type ValueKind =
  | { readonly is: 'text' | 'flag' }
  | { readonly is: 'choice'; readonly words: readonly string[] }
  | { readonly is: 'list'; readonly of: readonly string[] | null }

export interface SettingOption {
  /** In the body: a field, or a field of a field. */
  readonly path: readonly string[]
  readonly kind: ValueKind
  /** Whether an empty text takes the value away. */
  readonly mayBeMissing: boolean
  readonly help: string
}

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const wordsIn = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : null

/** What is left of `this or null`. */
const withoutNull = (schema: JsonObject): { readonly inner: JsonObject; readonly mayBeMissing: boolean } => {
  const members = objectsIn(schema['anyOf'])
  const [inner, ...others] = members.filter((member) => member['type'] !== 'null')
  return inner === undefined || others.length > 0
    ? { inner: schema, mayBeMissing: false }
    : { inner, mayBeMissing: members.length > 1 }
}

const kindOf = (schema: JsonObject): ValueKind | null => {
  const words = wordsIn(schema['enum'])
  if (words !== null) return { is: 'choice', words }
  if (schema['type'] === 'string') return { is: 'text' }
  if (schema['type'] === 'boolean') return { is: 'flag' }
  const { items } = schema
  return schema['type'] === 'array' && isObject(items) ? { is: 'list', of: wordsIn(items['enum']) } : null
}

/** `shopName` is `shop-name`. */
export const optionName = (path: readonly string[]): string =>
  path.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)).join('-')

/** The sentence of the contract, in the words of a command line. */
const helpOf = (schema: JsonObject, mayBeMissing: boolean): string => {
  const { description } = schema
  const said = typeof description === 'string' ? description.replace('Null:', 'An empty text:').replace(/\.$/, '') : ''
  return mayBeMissing && !said.includes('An empty text:') ? `${said}; an empty text: none`.replace(/^; /, '') : said
}

const optionsIn = (schema: JsonObject, above: readonly string[] = []): SettingOption[] => {
  const fields = schema['properties']
  return Object.entries(isObject(fields) ? fields : {}).flatMap(([name, field]): SettingOption[] => {
    if (!isObject(field)) return []
    const path = [...above, name]
    const { inner, mayBeMissing } = withoutNull(field)
    if (isObject(inner['properties'])) return optionsIn(inner, path)
    const kind = kindOf(inner)
    if (kind === null) throw new Error(`settings set cannot change ${path.join('.')}: it has no kind for its schema`)
    return [{ path, kind, mayBeMissing, help: helpOf(field, mayBeMissing) }]
  })
}

const schemaOfBody: unknown = ChangeSettingsBody

export const SETTING_OPTIONS: ReadonlyMap<string, SettingOption> = new Map(
  optionsIn(isObject(schemaOfBody) ? schemaOfBody : {}).map((option) => [optionName(option.path), option]),
)

/** What stands for its value in the help. */
export const valueText = ({ kind }: SettingOption): string => {
  switch (kind.is) {
    case 'text':
      return '<text>'
    case 'flag':
      return 'true|false'
    case 'choice':
      return kind.words.join('|')
    case 'list':
      return `<${kind.of?.[0] ?? 'text'},…>`
  }
}

type SettingValue = string | boolean | null | readonly string[]

/** The text of an option as the API wants it. */
export const readSetting = (
  name: string,
  { kind, mayBeMissing }: SettingOption,
  text: string,
): { readonly value: SettingValue } | CommandProblem => {
  if (text === '' && mayBeMissing) return { value: null }
  switch (kind.is) {
    case 'text':
      return { value: text }
    case 'flag':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { problem: `--${name} must be true or false.` }
    case 'choice': {
      const word = isPageLocale(text) ? toWireLocale(text) : text
      return kind.words.includes(word)
        ? { value: word }
        : { problem: `--${name} must be one of ${kind.words.join(', ')}.` }
    }
    case 'list': {
      const words = text === '' ? [] : text.split(',').map((word) => word.trim())
      return kind.of === null || words.every((word) => kind.of?.includes(word) === true)
        ? { value: words }
        : { problem: `--${name} must be some of ${kind.of.join(',')}, separated by commas.` }
    }
  }
}
