/** Missing features: what at least one of the oldest supported browsers lacks, by MDN's compatibility data. */
import data from '@mdn/browser-compat-data' with { type: 'json' }
import type { BrowserName, CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'

/** The floor of docs/browsers.md by MDN's names. */
export const OLDEST_BROWSERS: ReadonlyMap<BrowserName, string> = new Map([
  ['safari', '15.4'],
  ['safari_ios', '15.4'],
  ['chrome', '109'],
  ['chrome_android', '109'],
  ['edge', '109'],
  ['firefox', '115'],
  ['firefox_android', '115'],
  ['samsunginternet_android', '21.0'],
])

/** Number by number: 15.10 is later than 15.4. */
const { compare } = new Intl.Collator('en', { numeric: true })
const isLater = (version: string, other: string): boolean => compare(version.replace('≤', ''), other) > 0

/** Under its own name and without a flag. In part is enough: MDN calls so every difference, such as iOS without a cursor. */
const isSupport = (statement: SimpleSupportStatement, version: string): boolean => {
  const { version_added: added, version_removed: removed, flags, prefix, alternative_name: other } = statement
  if (added === false || added === 'preview' || isLater(added, version)) return false
  if (flags !== undefined || prefix !== undefined || other !== undefined) return false
  return removed === undefined || isLater(removed, version)
}

/** Of the standards alone: the types of the page know nothing else. */
export const isMissing = ({ __compat: compat }: { readonly __compat?: CompatStatement }): boolean => {
  if (compat?.status?.standard_track !== true) return false
  return [...OLDEST_BROWSERS].some(([browser, version]) => {
    const statements = [compat.support[browser] ?? []].flat()
    return !statements.some((each) => isSupport(each, version))
  })
}

const featuresIn = ({ __compat: _itself, ...features }: Identifier = {}): [name: string, feature: Identifier][] =>
  Object.entries(features)

const missingNames = (tree?: Identifier): string[] =>
  featuresIn(tree).flatMap(([name, each]) => (isMissing(each) ? [name] : []))

/** Names anywhere below: CSS functions stand at any depth of the types. */
const missingBelow = (tree?: Identifier): string[] =>
  featuresIn(tree).flatMap(([name, each]) => [...(isMissing(each) ? [name] : []), ...missingBelow(each)])

const isName = (text: string): boolean => /^\w+$/.test(text)

const builtins = data.javascript['builtins']
const interfaces = [data.api, builtins, builtins?.['Intl']].flatMap(featuresIn)

/** Of each interface the members that are missing, and the names that some interface of every browser has. */
const readMembers = () => {
  // Functions such as `fetch` stand among the interfaces.
  const known = new Set(interfaces.flatMap(([name, each]) => (isMissing(each) ? [] : [name])))
  const members = new Set<string>()
  // MDN marks the static methods of JavaScript's own objects by nothing.
  const statics = new Set(
    featuresIn(builtins).flatMap(([name, each]) =>
      missingNames(each)
        .filter(isName)
        .map((key) => `${name}.${key}`),
    ),
  )
  for (const [name, each] of interfaces) {
    for (const [key, member] of featuresIn(each)) {
      const memberName = key.replace(/_static$/, '')
      if (memberName === name || key.endsWith('_event') || !isName(memberName)) continue
      if (!isMissing(member) && !isMissing(each)) known.add(memberName)
      else if (key.endsWith('_static')) statics.add(`${name}.${memberName}`)
      else members.add(memberName)
    }
  }
  return { members: new Set([...members].filter((name) => !known.has(name))), statics }
}

/**
 * Names of interfaces, static methods (`Object.method`) and members as they stand in code. A member that another interface has,
 * and every browser knows, is not told apart by its name.
 */
export const MISSING_IN_SCRIPTS = {
  globals: new Set(interfaces.flatMap(([name, each]) => (isMissing(each) && isName(name) ? [name] : []))),
  ...readMembers(),
} as const

const { properties, selectors, types, 'at-rules': atRules } = data.css

export const MISSING_IN_STYLES = {
  attributes: new Set(missingNames(data.html['global_attributes'])),
  properties: new Set(missingNames(properties)),
  /** Such as `cursor: pointer`. */
  values: new Set(
    featuresIn(properties).flatMap(([name, each]) =>
      isMissing(each) ? [] : missingNames(each).map((value) => `${name}: ${value}`),
    ),
  ),
  selectors: new Set(missingNames(selectors)),
  functions: new Set(missingBelow(types)),
  atRules: new Set(missingNames(atRules)),
} as const
