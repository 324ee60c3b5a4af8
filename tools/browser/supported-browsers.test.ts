import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { CompatStatement } from '@mdn/browser-compat-data'
import {
  isMissing,
  MISSING_IN_SCRIPTS,
  MISSING_IN_STYLES,
  OLDEST_BROWSERS,
} from '../../journeys/harness/missing-features.ts'
import { ROOT } from '../root.ts'

/** Supported browsers: a lint of the page's scripts and styles against what the oldest of them lack. */
const { globals, statics, members } = MISSING_IN_SCRIPTS

/** What is used although a supported browser lacks it, and why nothing is lost there. */
const HARMLESS: Readonly<Record<string, string>> = {
  currentEntry:
    'asked for with `window.navigation`: without it Back leads to the form too, and some entries stay behind',
  traverseTo: 'the same',
  inert: 'preview alone: without it pointer-events keep the pointer out, and the form keeps nothing',
}

/** Names of our own fields, and `subscribe` of the query library. */
const OTHER_NAMES = ['badge', 'subject', 'isValid', 'brands', 'subscribe']

const HARMLESS_STYLES: Readonly<Record<string, string>> = {
  'cursor: pointer': 'a touch screen shows no pointer',
  'cursor: not-allowed': 'the same',
  'cursor: progress': 'the same',
  'text-wrap': 'lines are broken less evenly',
  'text-size-adjust': 'only phones enlarge text, and they know the prefixed name beside it',
  'content-visibility': 'all of the page is laid out at once, as it was before',
  'contain-intrinsic-size': 'the same',
  ':view-transition-group': 'one screen takes the place of the other at once',
  'print-color-adjust': 'the watermark is text, which is printed in any case',
}

/** Runs when the page is built and on the server; `page-without-its-script.test.ts` holds that no built script has it. */
const NOT_IN_BROWSERS = 'contract/line-breaks.ts'
/** Calls of merchants and of the console: lint holds that the page imports types of them alone. */
const NOT_IN_THE_PAGE = /^contract\/(merchant|console)\//

/** Code without its comments and texts. A template's places stay: there is code in them. */
const codeOf = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, ' ')
    .replaceAll(/'(?:\\.|[^'\\\n])*'/g, "''")
    .replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""')

const scriptFaults = (source: string): string[] => {
  const code = codeOf(source)
  const found = [
    ...[...code.matchAll(/\b([A-Z]\w*)\.(\w+)/g)]
      .map(([, object, name]) => `${object}.${name}`)
      .filter((each) => statics.has(each)),
    ...[...code.matchAll(/\.(\w+)/g)].flatMap(([, name = '']) => (members.has(name) ? [name] : [])),
    ...[...code.matchAll(/\snew (\w+)|\b(\w+)\.\w+\(/g)].flatMap(([, made, used]) => {
      const name = made ?? used ?? ''
      return globals.has(name) ? [name] : []
    }),
    ...[...code.matchAll(/\s([a-z]+)=\{/g)].flatMap(([, name = '']) =>
      MISSING_IN_STYLES.attributes.has(name) ? [name] : [],
    ),
    // Not a call that fails but a script that does not even begin: Safari knows both from 16.4 and 17 on.
    ...[...code.matchAll(/\(\?<[=!]/g)].map(() => 'lookbehind'),
    ...[...code.matchAll(/\/[a-z]*v[a-z]*(?=[.,;)\s])/g)].flatMap(([flags]) =>
      /^\/[dgimsuy]*v[dgimsuy]*$/.test(flags) ? ['v flag'] : [],
    ),
  ]
  // A file that asks whether the browser has it does something else where it has not.
  const isAskedFor = (name: string): boolean =>
    ['window', 'document'].some((object) => code.includes(`typeof ${object}.${name} === `))
  return found.filter((name) => HARMLESS[name] === undefined && !OTHER_NAMES.includes(name) && !isAskedFor(name))
}

const declarationsOf = (block: string): [property: string, value: string][] =>
  [...block.matchAll(/(?:^|[;{\s])(-?[a-z][a-z-]*)\s*:\s*([^;{}]+)(?=[;}])/g)].map(([, name = '', value = '']) => [
    name,
    value.trim(),
  ])

/** Units that are newer than the data's own words for them. */
const NEW_UNITS = /\d(?:[dls]v(?:h|w|min|max|b|i)|cq(?:h|w|min|max|b|i)|r?lh|cap|ric?)\b/

const valueFaults = (property: string, value: string): string[] => [
  ...(MISSING_IN_STYLES.properties.has(property) ? [property] : []),
  ...(MISSING_IN_STYLES.values.has(`${property}: ${value}`) ? [`${property}: ${value}`] : []),
  ...[...value.matchAll(/([a-z-]+)\(/g)].flatMap(([, name = '']) =>
    MISSING_IN_STYLES.functions.has(name) ? [`${name}()`] : [],
  ),
  ...(NEW_UNITS.exec(value) ?? []),
]

const styleFaults = (source: string): string[] => {
  const css = source.replaceAll(/\/\*[\s\S]*?\*\//g, ' ')
  const blocks = css.match(/[^{}]*\{[^{}]*\}/g) ?? []
  const inBlocks = blocks.flatMap((block) => {
    const declarations = declarationsOf(block.slice(block.indexOf('{')))
    return declarations.flatMap(([property, value], index) => {
      // A declaration that a browser cannot read leaves the one before it in force.
      const hasFallback = declarations
        .slice(0, index)
        .some(([other, otherValue]) => other === property && valueFaults(other, otherValue).length === 0)
      return hasFallback ? [] : valueFaults(property, value)
    })
  })
  const selectors = blocks.flatMap((block) => [...block.slice(0, block.indexOf('{')).matchAll(/::?([a-z-]+)/g)])
  return [
    ...inBlocks.filter((name) => HARMLESS_STYLES[name] === undefined),
    ...selectors
      .flatMap(([, name = '']) => (MISSING_IN_STYLES.selectors.has(name) ? [`:${name}`] : []))
      .filter((name) => HARMLESS_STYLES[name] === undefined),
    ...[...css.matchAll(/@([a-z-]+)/g)].flatMap(([, name = '']) =>
      MISSING_IN_STYLES.atRules.has(name) ? [`@${name}`] : [],
    ),
    ...(/[{;]\s*&|^\s+[.:#][\w-]+[^;{}]*\{/m.test(css.replaceAll(/@(?:media|keyframes)[^{]*\{/g, '')) && /&/.test(css)
      ? ['nesting']
      : []),
  ]
}

const faultsIn = (pattern: string, find: (source: string) => string[]): string[] => {
  const files = globSync(pattern, { cwd: ROOT }).filter(
    (file) => !/\.test\.tsx?$|\/testing\//.test(file) && file !== NOT_IN_BROWSERS && !NOT_IN_THE_PAGE.test(file),
  )
  assert.ok(files.length > 0, pattern)
  return files.flatMap((file) =>
    [...new Set(find(readFileSync(join(ROOT, file), 'utf8')))].map((name) => `${file}: ${name}`),
  )
}

test('the page’s scripts use nothing that a supported browser lacks', () => {
  assert.deepEqual(faultsIn('{page,ui,contract,server/http/bridge}/**/*.{ts,tsx}', scriptFaults), [])
})

test('the page’s styles use nothing that a supported browser lacks, unless a plainer declaration comes before it', () => {
  assert.deepEqual(faultsIn('{page,ui}/**/*.css', styleFaults), [])
})

test('the lint finds what once left a shopper without a page, and lets pass what every supported browser knows', () => {
  assert.deepEqual(scriptFaults('if (!URL.canParse(text)) return'), ['URL.canParse'])
  assert.deepEqual(scriptFaults('const [a] = list.toSorted()'), ['toSorted'])
  assert.deepEqual(scriptFaults('const t = AbortSignal.timeout(1)'), ['AbortSignal.timeout'])
  assert.deepEqual(scriptFaults('const t = AbortSignal.any([a, b])'), ['AbortSignal.any'])
  assert.deepEqual(scriptFaults('window.requestIdleCallback(run)'), ['requestIdleCallback'])
  const asked = "if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(run)"
  assert.deepEqual(scriptFaults(asked), [])
  assert.deepEqual(scriptFaults('const a = <div popover={x} />'), ['popover'])
  assert.deepEqual(scriptFaults('text.replace(/(?<=a)b/, c)'), ['lookbehind'])
  assert.deepEqual(scriptFaults("list.at(-1); Object.hasOwn(a, 'b'); // list.toSorted()\nconst a = 'x.toSorted()'"), [])
  const disabled = '.pay:disabled { background: color-mix(in srgb, red 22%, blue); }'
  assert.deepEqual(styleFaults(disabled), ['color-mix()'])
  assert.deepEqual(styleFaults(disabled.replace('{', '{ background: #ddd;')), [])
  assert.deepEqual(styleFaults('.a { height: 100svh; }'), ['0svh'])
  assert.deepEqual(styleFaults('.a { height: 100vh; height: 100svh; }'), [])
  assert.deepEqual(styleFaults('.a:has(b) { margin: 0; }'), [':has'])
  assert.deepEqual(styleFaults('@container (width > 1px) { .a { margin: 0; } }'), ['@container'])
})

const compat = (versions: object): { readonly __compat: CompatStatement } => ({
  __compat: {
    source_file: '',
    status: { standard_track: true, experimental: false, deprecated: false },
    support: Object.fromEntries(
      [...OLDEST_BROWSERS.keys()].map((browser) => [browser, { version_added: '1', ...versions }]),
    ),
  },
})

test('a feature is missing when a floor browser got it later, lost it, or has it only prefixed or behind a flag', () => {
  assert.equal(isMissing(compat({})), false)
  assert.equal(isMissing(compat({ version_added: '15.4', partial_implementation: true })), false)
  for (const versions of [
    { version_added: '15.5' },
    { version_added: false },
    { version_added: 'preview' },
    { version_removed: '14' },
    { prefix: 'webkit' },
    { flags: [{}] },
  ])
    assert.equal(isMissing(compat(versions)), true, JSON.stringify(versions))
})

test('docs/browsers.md names the versions that the data is asked for', () => {
  const page = readFileSync(join(ROOT, 'docs', 'browsers.md'), 'utf8')
  const named = /Safari and iOS ([\d.]+), Chrome and Edge (\d+), Firefox (\d+), Samsung Internet (\d+)/.exec(page)
  const [safari, ios, chrome, , edge, firefox, , samsung] = [...OLDEST_BROWSERS.values()]
  assert.deepEqual(named?.slice(1), [safari, chrome, firefox, samsung?.replace('.0', '')])
  assert.deepEqual([ios, edge], [safari, chrome])
})
