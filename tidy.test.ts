import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** The rules of the house as a test: style that is not a test decays. */

const MAX_LINES = 250
const MAX_TEST_LINES = 600

type Room = 'contract' | 'payment' | 'server' | 'page' | 'sandbox' | 'journeys'

interface RoomRule {
  /** Rooms of ours it may import besides itself. */
  readonly rooms: readonly Room[]
  /** npm packages and node modules it may import in code; tests may use the test tools beside them. */
  readonly packages: RegExp
}

const NOTHING = /^$/
const rules: Record<Room, RoomRule> = {
  contract: { rooms: [], packages: /^typebox$/ },
  payment: { rooms: ['contract'], packages: NOTHING },
  server: { rooms: ['contract', 'payment'], packages: /^(?!react|wouter|@tanstack)/ },
  page: { rooms: ['contract'], packages: /^(react|react-dom|@tanstack\/react-query|wouter|lz-string)(\/|$)/ },
  sandbox: { rooms: [], packages: /^node:/ },
  journeys: { rooms: ['contract'], packages: /^(node:|@playwright\/test$|@axe-core\/playwright$)/ },
}
const TEST_PACKAGES = /^(node:|fast-check$|typebox(\/|$)|fastify$|pg$)/

/** Only adapters to the outside may turn a card number into digits. */
const MAY_REVEAL = ['server/gateways/sandbox/translate.ts', 'server/three-ds/active-server/translate.ts']

/** Schemas stay out of the page's bytes: of these it may import types alone. */
const SCHEMAS = /^#contract\/(calls|checkout|three-ds|merchant)\.ts$/

/** The environment is read in one place; tools and the test harness pass it on to processes they start. */
const MAY_READ_ENVIRONMENT =
  /^(server\/(main|config)\.ts|server\/testing\/|tools\/|(playwright|vite)\.config\.ts|journeys\/(kaikei|tls-program)\.ts|.*\.test\.ts$)/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path))
const sources = files.filter((path) => /\.(ts|tsx|mjs)$/.test(path))
const textOf = (path: string): string => readFileSync(path, 'utf8')
const isTest = (path: string): boolean =>
  /\.(test|spec)\.ts$/.test(path) || /\/testing\/|-under-test\.ts$|stand-ins\.ts$/.test(path)
const isRoom = (name: string): name is Room => name in rules
const roomOf = (path: string): Room | undefined => {
  const [first = ''] = path.split('/')
  return isRoom(first) ? first : undefined
}

interface Import {
  readonly from: string
  readonly typeOnly: boolean
}

const importsOf = (text: string): Import[] => [
  ...[...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'/gm)].map(([, type, from = '']) => ({
    from,
    typeOnly: type !== undefined,
  })),
  ...[...text.matchAll(/(?:^import\s+|\bimport\()'([^']+)'/gm)].map(([, from = '']) => ({ from, typeOnly: false })),
]

/** Where an import leads: a room of ours, our own root, or a package. */
const targetOf = (path: string, from: string): { room: Room | undefined; package: string | undefined } => {
  if (from.startsWith('#')) return { room: roomOf(from.slice(1)), package: undefined }
  if (from.startsWith('.')) return { room: roomOf(normalize(join(dirname(path), from))), package: undefined }
  return { room: undefined, package: from }
}

const importFaults = (path: string, text: string): string[] => {
  const room = roomOf(path)
  if (room === undefined) return []
  const rule = rules[room]
  return importsOf(text).flatMap(({ from, typeOnly }) => {
    const target = targetOf(path, from)
    if (target.package !== undefined) {
      const allowed = rule.packages.test(target.package) || (isTest(path) && TEST_PACKAGES.test(target.package))
      return allowed ? [] : [`${path} may not import ${from}`]
    }
    if (room === 'page' && !typeOnly && !isTest(path) && SCHEMAS.test(from))
      return [`${path} may import only types of ${from}`]
    const allowed = target.room === room || (target.room !== undefined && rule.rooms.includes(target.room))
    return allowed ? [] : [`${path} may not import ${from}`]
  })
}

/** Words and lists are read row by row: their length costs nobody anything. */
const isTable = (path: string): boolean => path.startsWith('page/words/') || path.endsWith('/planted-bugs.ts')

const lineFault = (path: string, text: string): string[] => {
  const lines = text.split('\n').length - 1
  const most = isTest(path) ? MAX_TEST_LINES : MAX_LINES
  return isTable(path) || lines <= most ? [] : [`${path} has ${lines} lines; ${most} are the most`]
}

const wordFaults = (path: string, text: string): string[] => {
  const faults: [pattern: RegExp, fault: string][] = [
    [/^export\s+(\*|\{[^}]*\}|type\s+\{[^}]*\})\s*from\s/m, 'hands on what another file exports: import it from there'],
    [/\bstyle=/, 'sets a style attribute, which the policy drops'],
    [/\bdangerouslySetInnerHTML\b/, 'writes raw HTML'],
    [/\b(localStorage|sessionStorage|document\.cookie)\b/, 'stores something in the browser'],
    [/\bnew Date\(\)|\bDate\.now\(\)|\bMath\.random\(\)/, 'reads the clock or chance itself'],
  ]
  const everywhere = faults.slice(0, 1)
  const ofPage = faults.slice(1, 4)
  const ofRules = faults.slice(4)
  const room = roomOf(path)
  const apply = [
    ...everywhere,
    ...(room === 'page' ? ofPage : []),
    ...(room === 'contract' || room === 'payment' ? ofRules : []),
  ]
  return isTest(path) ? [] : apply.filter(([pattern]) => pattern.test(text)).map(([, fault]) => `${path} ${fault}`)
}

const revealFault = (path: string, text: string): string[] =>
  text.includes('.reveal()') && !isTest(path) && !MAY_REVEAL.includes(path)
    ? [`${path} may not reveal a card number`]
    : []

/** What only tries the product out. An import of it from the product would ship it, faults and all. */
const PROVING = /(^|\/)(testing|simulation|crashes|canaries|promises)\/|-contract\.ts$/
const isProving = (path: string): boolean => isTest(path) || PROVING.test(path)

const provingFaults = (path: string, text: string): string[] =>
  isProving(path) || !path.startsWith('server/')
    ? []
    : importsOf(text)
        .filter(({ from }) => isProving(from))
        .map(({ from }) => `${path} is part of the product and may not import ${from}`)

const environmentFault = (path: string, text: string): string[] =>
  text.includes('process.env') && !MAY_READ_ENVIRONMENT.test(path) ? [`${path} reads the environment`] : []

const nameFault = (path: string): string[] => {
  const name = basename(path)
  if (/(^|[-/])(utils?|helpers?|manager|service|misc|common)[.-]/.test(name))
    return [`${path}: name it after what it holds`]
  const isLocale = path.startsWith('page/words/')
  return isLocale || /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name) ? [] : [`${path} is not in kebab-case`]
}

test('every room imports only what it may', () => {
  assert.deepEqual(
    sources.flatMap((path) => importFaults(path, textOf(path))),
    [],
  )
})

test('the product imports nothing of what proves it', () => {
  assert.deepEqual(
    sources.flatMap((path) => provingFaults(path, textOf(path))),
    [],
  )
})

test('no file is longer than a reader can hold in mind', () => {
  assert.deepEqual(
    sources.flatMap((path) => lineFault(path, textOf(path))),
    [],
  )
})

test('no barrels, no style attributes, no raw HTML, nothing stored in the browser, no clock in the rules', () => {
  const faults = sources.filter((path) => path !== 'tidy.test.ts').flatMap((path) => wordFaults(path, textOf(path)))
  assert.deepEqual(faults, [])
})

test('card numbers are revealed in adapters alone', () => {
  assert.deepEqual(
    sources.flatMap((path) => revealFault(path, textOf(path))),
    [],
  )
})

test('the environment is read in one place', () => {
  assert.deepEqual(
    sources.flatMap((path) => environmentFault(path, textOf(path))),
    [],
  )
})

test('files are named in kebab-case after what they hold', () => {
  assert.deepEqual(sources.flatMap(nameFault), [])
})

test('every dependency has one exact version', () => {
  const manifest = JSON.parse(textOf('package.json')) as Record<string, Record<string, string> | undefined>
  const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
  )
  assert.deepEqual(loose, [])
})

test('the project speaks of itself alone: no path of somebody’s machine, no paper outside the repository', () => {
  const prose = files.filter((path) => /\.(ts|tsx|mjs|md|sql|css|json)$/.test(path) && path !== 'package-lock.json')
  const named = prose.filter(
    (path) => path !== 'tidy.test.ts' && /\.\.\/shared|\/work\/(main|shared)|\/home\/\w/.test(textOf(path)),
  )
  assert.deepEqual(named, [])
})

test('the rules themselves find what they forbid', () => {
  assert.equal(importFaults('payment/x.ts', "import { readFile } from 'node:fs'\n").length, 1)
  assert.equal(importFaults('page/x.tsx', "import { pay } from '../server/pay.ts'\n").length, 1)
  assert.equal(importFaults('page/x.tsx', "import { CheckoutAnswer } from '#contract/checkout.ts'\n").length, 1)
  assert.equal(importFaults('page/x.tsx', "import type { CheckoutAnswer } from '#contract/checkout.ts'\n").length, 0)
  assert.equal(importFaults('sandbox/x.ts', "import { yenText } from '#contract/yen.ts'\n").length, 1)
  assert.equal(importFaults('contract/x.ts', "import { useState } from 'react'\n").length, 1)
  assert.equal(importFaults('server/x.ts', "const m = await import('../sandbox/main.ts')\n").length, 1)
  assert.equal(provingFaults('server/x.ts', "import { dice } from './testing/seeded.ts'\n").length, 1)
  assert.equal(provingFaults('server/gateways/x.ts', "import { dice } from '../simulation/world.ts'\n").length, 1)
  assert.equal(provingFaults('server/x.test.ts', "import { dice } from './testing/seeded.ts'\n").length, 0)
  assert.equal(lineFault('server/x.ts', '\n'.repeat(MAX_LINES + 1)).length, 1)
  assert.equal(lineFault('server/x.ts', '\n'.repeat(MAX_LINES)).length, 0)
  assert.equal(wordFaults('server/index.ts', "export { pay } from './pay.ts'\n").length, 1)
  assert.equal(wordFaults('page/x.tsx', 'const a = <div style={{}} />\n').length, 1)
  assert.equal(revealFault('server/operations/pay.ts', 'card.number.reveal()\n').length, 1)
  assert.equal(revealFault('server/gateways/sandbox/translate.ts', 'card.number.reveal()\n').length, 0)
  assert.equal(nameFault('server/cardUtils.ts').length + nameFault('server/card-utils.ts').length, 2)
})
