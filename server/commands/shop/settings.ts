/** Settings commands over the merchant API: what the shop has set, and a change of it. */
import { changeSettings, readSettings } from '#contract/merchant/settings.ts'
import { answerOf } from '../checkout/checkouts.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem, type Given } from '../command.ts'
import { factLines } from '../table.ts'
import { optionName, readSetting, SETTING_OPTIONS, valueText } from './setting-options.ts'

const UNSET = '-'

/** Every value below the name of its option, so that whoever reads one knows how to change it. */
const factsIn = (settings: object, above: readonly string[] = []): [string, string][] =>
  Object.entries(settings).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const path = [...above, name]
    if (value === null) return [[optionName(path), UNSET]]
    if (Array.isArray(value)) return [[optionName(path), value.join(', ') || UNSET]]
    if (typeof value === 'object') return factsIn(value, path)
    return [[optionName(path), typeof value === 'string' ? value : JSON.stringify(value)]]
  })

const linesOf = (settings: object): string[] => factLines(Object.fromEntries(factsIn(settings)))

export const settingsShow: Command = {
  summary: 'shows the settings of the shop',
  places: [],
  options: {},
  example: 'settings show',
  run: async (_given, env) => {
    const read = await answerOf(env, readSettings, {})
    return isProblem(read) ? read : { value: read.answer, lines: linesOf(read.answer) }
  },
}

/** The change that was asked for; what is left out stays. */
const bodyOf = (given: Given): { readonly body: object } | CommandProblem => {
  const body: Record<string, unknown> = {}
  for (const [name, option] of SETTING_OPTIONS) {
    const text = given.textOrNull(name)
    if (text === null) continue
    const read = readSetting(name, option, text)
    if (isProblem(read)) return read
    const [field = '', inner] = option.path
    const before = body[field]
    body[field] =
      inner === undefined ? read.value : { ...(typeof before === 'object' ? before : {}), [inner]: read.value }
  }
  return Object.keys(body).length === 0
    ? { problem: `settings set does not say what to set: see ${PROGRAM} settings set --help.` }
    : { body }
}

export const settingsSet: Command = {
  summary: 'changes settings of the shop; those that are left out stay',
  places: [],
  options: Object.fromEntries(
    [...SETTING_OPTIONS].map(([name, option]) => [name, { value: valueText(option), help: option.help }]),
  ),
  example: 'settings set --shop-name "Aoyama Tea" --color-code "#006d77" --shop-phone-number ""',
  run: async (given, env) => {
    const asked = bodyOf(given)
    if (isProblem(asked)) return asked
    const read = await answerOf(env, readSettings, {})
    if (isProblem(read)) return read
    const headers = { 'if-match': read.etag ?? '*' }
    const sent = { ...asked, headers }
    const changed = await answerOf(env, changeSettings, sent, 'They may be changed: settings show tells.')
    return isProblem(changed) ? changed : { value: changed.answer, lines: linesOf(changed.answer) }
  },
}
