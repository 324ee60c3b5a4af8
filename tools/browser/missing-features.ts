/**
 * Missing features: what at least one of the oldest supported browsers lacks, taken from MDN's compatibility data. To renew
 * missing-features.json after docs/browsers.md has changed: `npm pack @mdn/browser-compat-data`, unpack it, then
 * `node_modules/.bin/node tools/browser/missing-features.ts <folder>`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../is-record.mjs'

/** The floor of docs/browsers.md by MDN's names. */
export const OLDEST_BROWSERS: Readonly<Record<string, string>> = {
  safari: '15.4',
  safari_ios: '15.4',
  chrome: '109',
  chrome_android: '109',
  edge: '109',
  firefox: '115',
  firefox_android: '115',
  samsunginternet_android: '21.0',
}

/** Names as they stand in code. A member that another interface has, and every browser knows, is not told apart by its name. */
export interface MissingFeatures {
  readonly source: string
  readonly globals: readonly string[]
  readonly statics: readonly string[]
  readonly members: readonly string[]
  readonly attributes: readonly string[]
  readonly cssProperties: readonly string[]
  readonly cssValues: readonly string[]
  readonly cssSelectors: readonly string[]
  readonly cssFunctions: readonly string[]
  readonly cssAtRules: readonly string[]
}

type Tree = Record<string, unknown>

const childOf = (tree: unknown, ...path: readonly string[]): Tree => {
  const child = path.reduce<unknown>((node, name) => (isRecord(node) ? node[name] : undefined), tree)
  return isRecord(child) ? child : {}
}

/** Number by number: 15.10 is later than 15.4. */
const isLater = (version: string, other: string): boolean =>
  version.replace('≤', '').localeCompare(other, 'en', { numeric: true }) > 0

/** Under its own name and without a flag. In part is enough: MDN calls so every difference, such as iOS without a cursor. */
const isSupport = (statement: unknown, version: string): boolean => {
  if (!isRecord(statement)) return false
  const { version_added: added, version_removed: removed, flags, prefix, alternative_name: other } = statement
  if (typeof added !== 'string' || added === 'preview' || isLater(added, version)) return false
  if (flags !== undefined || prefix !== undefined || other !== undefined) return false
  return typeof removed !== 'string' || isLater(removed, version)
}

/** Of the standards alone: the types of the page know nothing else. */
export const isMissing = (feature: unknown): boolean => {
  const { support, status } = childOf(feature, '__compat')
  if (!isRecord(support) || !isRecord(status) || status['standard_track'] !== true) return false
  return Object.entries(OLDEST_BROWSERS).some(([browser, version]) => {
    const statements = support[browser]
    return !(Array.isArray(statements) ? statements : [statements]).some((each) => isSupport(each, version))
  })
}

const featuresIn = (tree: Tree): [name: string, feature: Tree][] =>
  Object.entries(tree).flatMap(([name, feature]) =>
    name === '__compat' || !isRecord(feature) ? [] : [[name, feature] satisfies [string, Tree]],
  )

const missingNames = (tree: Tree): string[] =>
  featuresIn(tree).flatMap(([name, each]) => (isMissing(each) ? [name] : []))

/** Names anywhere below: CSS functions stand at any depth of the types. */
const missingBelow = (tree: Tree): string[] =>
  featuresIn(tree).flatMap(([name, each]) => [...(isMissing(each) ? [name] : []), ...missingBelow(each)])

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted()
const isName = (text: string): boolean => /^\w+$/.test(text)

const scriptFeatures = (data: Tree): Pick<MissingFeatures, 'globals' | 'statics' | 'members'> => {
  const builtins = childOf(data, 'javascript', 'builtins')
  const interfaces = [childOf(data, 'api'), builtins, childOf(builtins, 'Intl')].flatMap(featuresIn)
  // Functions such as `fetch` stand among the interfaces.
  const known = new Set(interfaces.flatMap(([name, each]) => (isMissing(each) ? [] : [name])))
  const members = new Set<string>()
  const statics = new Set<string>()
  for (const [name, each] of interfaces) {
    for (const [key, member] of featuresIn(each)) {
      const memberName = key.replace(/_static$/, '')
      if (memberName === name || key.endsWith('_event') || !isName(memberName)) continue
      if (!isMissing(member) && !isMissing(each)) known.add(memberName)
      else if (key.endsWith('_static')) statics.add(`${name}.${memberName}`)
      else members.add(memberName)
    }
  }
  // MDN marks the static methods of JavaScript's own objects by nothing.
  for (const [name, each] of featuresIn(builtins))
    for (const key of missingNames(each)) if (isName(key)) statics.add(`${name}.${key}`)
  return {
    globals: sorted(interfaces.flatMap(([name, each]) => (isMissing(each) && isName(name) ? [name] : []))),
    statics: sorted(statics),
    members: sorted([...members].filter((name) => !known.has(name))),
  }
}

const styleFeatures = (data: Tree): Omit<MissingFeatures, 'source' | 'globals' | 'statics' | 'members'> => {
  const properties = featuresIn(childOf(data, 'css', 'properties'))
  return {
    attributes: sorted(missingNames(childOf(data, 'html', 'global_attributes'))),
    cssProperties: sorted(missingNames(childOf(data, 'css', 'properties'))),
    cssValues: sorted(
      properties.flatMap(([name, each]) =>
        isMissing(each) ? [] : missingNames(each).map((value) => `${name}: ${value}`),
      ),
    ).filter((value) => /^[a-z-]+: [a-z-]+$/.test(value)),
    cssSelectors: sorted(missingNames(childOf(data, 'css', 'selectors'))),
    cssFunctions: sorted(missingBelow(childOf(data, 'css', 'types')).filter((name) => /^[a-z][a-z-]+$/.test(name))),
    cssAtRules: sorted(missingNames(childOf(data, 'css', 'at-rules'))),
  }
}

export const missingFeatures = (data: unknown, source: string): MissingFeatures => ({
  source,
  ...scriptFeatures(childOf(data)),
  ...styleFeatures(childOf(data)),
})

export const TABLE_FILE = join(import.meta.dirname, 'missing-features.json')

const [, , folder] = process.argv
if (import.meta.main && folder !== undefined) {
  const readJson = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const { name, version } = childOf(readJson('package.json'))
  const table = missingFeatures(readJson('data.json'), `${String(name)} ${String(version)}`)
  writeFileSync(TABLE_FILE, `${JSON.stringify(table, null, 2)}\n`)
}
