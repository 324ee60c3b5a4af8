import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { packFolder } from './archive.ts'

const TIME = new Date('2026-11-19T00:00:00Z')
const FILES = { 'kaikei-1/program': '#!', 'kaikei-1/a/b': '1', [`kaikei-1/${'deep/'.repeat(40)}file`]: '2' }

test('the same files are the same bytes, whatever their order, times and modes', (t) => {
  const one = temporaryFolder(t, FILES)
  const other = temporaryFolder(t, Object.fromEntries(Object.entries(FILES).toReversed()))
  utimesSync(join(other, 'kaikei-1/a/b'), 1, 1)
  chmodSync(join(other, 'kaikei-1/a/b'), 0o600)
  chmodSync(join(other, 'kaikei-1/a'), 0o700)
  for (const folder of [one, other]) packFolder(join(folder, 'it.tar.gz'), join(folder, 'kaikei-1'), ['program'], TIME)
  assert.deepEqual(readFileSync(join(one, 'it.tar.gz')), readFileSync(join(other, 'it.tar.gz')))
})

test('the system’s tar unpacks every file, and every user can enter the folders, also if root unpacks with a strict umask', (t) => {
  const [folder, place] = [temporaryFolder(t, FILES), temporaryFolder(t, {})]
  packFolder(join(place, 'it.tar.gz'), join(folder, 'kaikei-1'), ['program'], TIME)
  // As root unpacks: with the modes of the archive.
  execFileSync('sh', ['-c', 'umask 077; tar xpzf it.tar.gz'], { cwd: place })
  for (const [path, text] of Object.entries(FILES)) assert.equal(readFileSync(join(place, path), 'utf8'), text)
  const modeOf = (path: string): number => statSync(join(place, path)).mode & 0o777
  assert.deepEqual(
    ['kaikei-1', 'kaikei-1/a', 'kaikei-1/a/b', 'kaikei-1/program'].map(modeOf),
    [0o755, 0o755, 0o644, 0o755],
  )
  assert.equal(statSync(join(place, 'kaikei-1/a/b')).mtimeMs, TIME.getTime())
})
