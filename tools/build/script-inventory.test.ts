import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { reasonFor, scriptInventory } from './script-inventory.ts'

const BUILD = {
  'client/.vite/manifest.json': JSON.stringify({ 'page/main.tsx': { file: 'assets/main-1.js' } }),
  'client/assets/main-1.js': 'pay()',
  'client/assets/main-1.js.br': '',
  'client/assets/style.css': '',
  'watchdog/watchdog.js': 'watch()\n',
  'pre-hydration/pre-hydration.js': 'group()\n',
}
const integrityOf = (text: string): string => `sha384-${createHash('sha384').update(text).digest('base64')}`

test('every script is listed with its hash and a reason', (t) => {
  const [main, preHydration, watchdog, ...others] = scriptInventory(temporaryFolder(t, BUILD))
  assert.deepEqual([main?.file, main?.integrity], ['/assets/main-1.js', integrityOf('pay()')])
  assert.match(main?.why ?? '', /card form/)
  assert.equal(preHydration?.integrity, integrityOf('group()'))
  assert.equal(watchdog?.integrity, integrityOf('watch()'))
  // Two of the bridge, one of the reference.
  assert.equal(others.length, 3)
})

test('a script that nobody has given a reason for stops the build', (t) => {
  const folder = temporaryFolder(t, BUILD)
  writeFileSync(join(folder, 'client/assets/tracker.js'), 'track()')
  assert.throws(() => scriptInventory(folder), /a script of tracker\.js: say in .* why it is there/)
  assert.throws(() => reasonFor('page/words.ts'), /say in/)
})
