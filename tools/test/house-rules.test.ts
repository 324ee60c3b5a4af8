import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runAndCapture } from '../exit-with-parent.ts'
import { ROOT } from '../root.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const OXLINT = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint')
const CONFIG = `
import { houseRules } from ${JSON.stringify(join(ROOT, 'house-rules.ts'))}
const plugins = ['typescript', 'unicorn', 'import', 'react', 'node']
export default { plugins, categories: { correctness: 'off' }, ...houseRules(import.meta.dirname) }
`

/** The rules that refuse a line of a file, as `file:line rule`. */
const refusedIn = async (t: TestContext, files: Readonly<Record<string, string>>): Promise<string[]> => {
  const folder = temporaryFolder(t, { 'oxlint.config.ts': CONFIG, ...files })
  const { output } = await runAndCapture(process.execPath, [OXLINT, '--format', 'unix'], { cwd: folder })
  const found = [...output.matchAll(/^(\S+?):(\d+):\d+: .*\[Error\/[a-z]+\(([a-z-]+)\)\]$/gm)]
  return found.map(([, file, line, rule]) => `${file}:${line} ${rule}`).toSorted()
}

/** Imports that are refused, each in a file of its own, then those that pass. */
const REFUSED: readonly (readonly [file: string, line: string])[] = [
  ['payment/a.ts', "import { readFile } from 'node:fs'"],
  ['page/a.tsx', "import { pay } from '../server/pay.ts'"],
  ['page/b.tsx', "import { CheckoutAnswer } from '#contract/checkout.ts'"],
  ['page/c.tsx', "import { readMe } from '#contract/merchant/me.ts'"],
  ['sandbox/a.ts', "import { yenText } from '#contract/yen.ts'"],
  ['contract/a.ts', "import { useState } from 'react'"],
  ['server/a.ts', "const m = await import('../sandbox/main.ts')"],
  ['server/b.ts', "import { dice } from '../proof/harness/seeded-random.ts'"],
  ['server/c.test.ts', "import { dice } from '../proof/simulation/world.ts'"],
  ['server/d.ts', "import { fake } from './store/testing/fake.ts'"],
  ['server/e.ts', "import { build } from '../vite.config.ts'"],
  ['server/f.ts', "import { useQuery } from '@tanstack/react-query'"],
  ['server/g.ts', "export { pay } from '../page/pay.ts'"],
  ['server/store/a.ts', "import { pay } from '../operations/pay.ts'"],
  ['server/store/engine/a.ts', "import { pay } from '../../operations/pay.ts'"],
  ['server/store/engine/b.ts', "import { x } from '../checkout/readings.ts'"],
  ['server/store/merchant/a.ts', "import { x } from '../outbox/events.ts'"],
  ['server/store/reports/a.ts', "import { x } from '../prepare-database.ts'"],
  ['server/store/reports/deep/a.ts', "import { x } from '../../../../page/app.tsx'"],
  ['tools/a.ts', "import { App } from '../page/app.tsx'"],
  ['tools/b.ts', "import { measure } from '../proof/axe/prove.ts'"],
  ['tools/c.ts', "import { table } from '../bench/limits/limits.ts'"],
  ['proof/axe/a.ts', "import { table } from '../../bench/limits/limits.ts'"],
  ['proof/programs/a.ts', "import { measure } from '../axe/prove.ts'"],
  ['contract/merchant/a.ts', "import { x } from '#contract/console/x.ts'"],
]
const ALLOWED: readonly (readonly [file: string, line: string])[] = [
  ['page/d.tsx', "import type { CheckoutAnswer } from '#contract/checkout.ts'"],
  ['page/e.test.ts', "import { CheckoutAnswer } from '#contract/checkout.ts'"],
  ['server/h.test.ts', "import { dice } from '../proof/harness/seeded-random.ts'"],
  ['server/i.ts', "import { FullTextSearch } from './page/x.ts'"],
  ['server/operations/a.ts', "import { sql } from '../store/database.ts'"],
  ['server/operations/b.test.ts', "import { list } from '../http/list.ts'"],
  ['server/store/merchant/b.ts', "import { x } from '../page/x.ts'"],
  ['server/store/outbox/a.ts', "import { x } from './events.ts'"],
  ['server/store/reports/b.ts', "import { x } from '../engine/database.ts'"],
  ['server/store/reports/c.ts', "import fs from 'node:fs/promises'"],
  ['tools/test/a.ts', "import { dice } from '../../proof/harness/seeded-random.ts'"],
  ['console/a.ts', "import { Axis } from '@visx/axis'"],
]

test('every room imports only what it may, and its folders import inwards', async (t) => {
  const files = Object.fromEntries([...REFUSED, ...ALLOWED].map(([file, line]) => [file, `${line}\n`]))
  const expected = REFUSED.map(([file]) => `${file}:1 no-restricted-imports`)
  assert.deepEqual(await refusedIn(t, files), expected.toSorted())
})

test('a circle of imports is refused, types included', async (t) => {
  const circle = { 'server/a.ts': "import type { B } from './b.ts'\n", 'server/b.ts': "import { a } from './a.ts'\n" }
  assert.deepEqual(await refusedIn(t, circle), ['server/a.ts:1 no-cycle', 'server/b.ts:1 no-cycle'])
})

test('what only some may do is refused elsewhere', async (t) => {
  const page = [
    'document.cookie',
    "localStorage.getItem('a')",
    'window.sessionStorage',
    'export const a = <div style={{}} dangerouslySetInnerHTML={{ __html: html }} />',
    'export const b = <Menu style={{}} />',
  ]
  const files = {
    'page/a.tsx': page.join('\n'),
    'payment/a.ts': 'Date.now()\nMath.random()\n',
    'server/operations/pay.ts': "card.number.reveal()\nprocess.env['A']\n",
    'server/cardUtils.ts': '',
    // Here each of them may stand.
    'server/background/a.ts': 'Date.now()\n',
    'server/config/a.ts': "process.env['A']\n",
    'server/gateways/sandbox/translate.ts': 'card.number.reveal()\n',
    'server/operations/pay.test.ts': "card.number.reveal()\nprocess.env['A']\n",
    'page/words/en-US.ts': '',
  }
  assert.deepEqual(await refusedIn(t, files), [
    'page/a.tsx:1 no-restricted-properties',
    'page/a.tsx:2 no-restricted-globals',
    'page/a.tsx:3 no-restricted-properties',
    'page/a.tsx:4 forbid-dom-props',
    'page/a.tsx:4 no-danger',
    'page/a.tsx:5 forbid-component-props',
    'payment/a.ts:1 no-restricted-properties',
    'payment/a.ts:2 no-restricted-properties',
    'server/cardUtils.ts:1 filename-case',
    'server/operations/pay.ts:1 no-restricted-properties',
    'server/operations/pay.ts:2 no-process-env',
  ])
})

test('files end at 500 lines, tests at 600, and functions at 170', async (t) => {
  const lines = (count: number): string => '// line\n'.repeat(count)
  const work = (count: number): string => `export const work = () => {\n${lines(count - 2)}}\n`
  const files = {
    'server/a.ts': lines(500),
    'server/b.ts': lines(501),
    'server/c.test.ts': lines(600),
    'server/d.test.ts': lines(601),
    'server/e.ts': work(170),
    'server/f.ts': work(171),
    'page/words/th.ts': lines(700),
  }
  assert.deepEqual(
    (await refusedIn(t, files)).map((each) => each.replace(/:\d+/, '')),
    ['server/b.ts max-lines', 'server/d.test.ts max-lines', 'server/f.ts max-lines-per-function'],
  )
})
