import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { runAndCapture } from '../exit-with-parent.ts'
import { ROOT } from '../root.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const OXLINT = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint')
const CONFIG = JSON.stringify({
  jsPlugins: [join(ROOT, 'tools', 'test', 'lint-rules.ts')],
  categories: { correctness: 'off' },
  rules: { 'kaikei/linear-regexp': 'error' },
})

test('lint refuses a regular expression that is dear, however it is made, and lets a linear one through', async (t) => {
  const planted = [
    'export const literal = /([^\\s"=]+)="([^"]*)"/g',
    'export const made = new RegExp("a+b")',
    'export const called = RegExp(`a+b`, "g")',
    'export const schema = { pattern: "^(a+)+$" }',
    'export const unknown = (text) => new RegExp(text)',
    'export const linear = [/^a+$/, new RegExp("^a+b"), { pattern: `^[0-9]{${1},${2}}$` }, { pattern: /a/ }]',
  ]
  const folder = temporaryFolder(t, { '.oxlintrc.json': CONFIG, 'planted.js': planted.join('\n') })
  const { code, output } = await runAndCapture(process.execPath, [OXLINT, '--format', 'unix'], { cwd: folder })
  assert.notEqual(code, 0)
  const lines = [...output.matchAll(/planted\.js:(\d+):/g)].map(([, line]) => Number(line))
  assert.deepEqual(lines, [1, 2, 3, 4, 5], output)
})
