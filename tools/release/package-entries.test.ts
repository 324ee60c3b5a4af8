import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { parseLockfile } from './lockfile.ts'
import { changedSinceInstall } from './package-entries.ts'

const REACT = 'node_modules/react/index.js'
const FILES = { [REACT]: 'draw()', 'node_modules/react/package.json': '{}', 'node_modules/vite/index.js': '' }
const PACKAGES = [
  ...parseLockfile(JSON.stringify({ packages: { 'node_modules/react': { version: '1.0.0' } } })).values(),
]

test('a file of the page’s packages that was changed, removed or added in the clone is named', (t) => {
  const [installed, clone] = [temporaryFolder(t, FILES), temporaryFolder(t, FILES)]
  const changed = (): string | undefined => changedSinceInstall(PACKAGES, installed, clone)
  assert.equal(changed(), undefined)
  writeFileSync(join(clone, REACT), 'drew()')
  assert.equal(changed(), REACT)
  rmSync(join(clone, REACT))
  assert.equal(changed(), REACT)
  writeFileSync(join(clone, REACT), 'draw()')
  writeFileSync(join(clone, 'node_modules/react/skim.js'), '')
  assert.equal(changed(), 'node_modules/react/skim.js')
})
