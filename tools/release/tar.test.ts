import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { tarOf, type TarEntry } from './tar.ts'

const NOW = 1_790_000_000
const entry = (path: string, text: string, isProgram = false): TarEntry => ({
  path,
  bytes: Buffer.from(text),
  isProgram,
})

test('the system’s tar unpacks every file with its bytes, its mode and the one time', (t) => {
  const folder = temporaryFolder(t, {})
  const deep = `${'folder/'.repeat(14)}${'n'.repeat(100)}`
  const entries = [entry('a/program', '#!', true), entry('a/empty', ''), entry('b', 'x'.repeat(512)), entry(deep, 'y')]
  writeFileSync(join(folder, 'it.tar'), tarOf(entries, NOW))
  execFileSync('tar', ['xf', 'it.tar'], { cwd: folder })
  for (const { path, bytes, isProgram } of entries) {
    assert.deepEqual(readFileSync(join(folder, path)), bytes)
    const { mode, mtimeMs } = statSync(join(folder, path))
    assert.deepEqual([(mode & 0o100) !== 0, mtimeMs], [isProgram, NOW * 1000])
  }
})

test('every user can enter the folders, also if root unpacks with a strict umask', (t) => {
  const folder = temporaryFolder(t, { 'it.tar': '' })
  writeFileSync(join(folder, 'it.tar'), tarOf([entry('a/b/c', ''), entry('a/d', '')], NOW))
  // As root unpacks: with the modes of the archive.
  execFileSync('sh', ['-c', 'umask 077; tar xpf it.tar'], { cwd: folder })
  assert.deepEqual(
    ['a', 'a/b', 'a/b/c', 'a/d'].map((path) => statSync(join(folder, path)).mode & 0o777),
    [0o755, 0o755, 0o644, 0o644],
  )
})

test('the order in which files are found does not change the archive', () => {
  const entries = [entry('b', '1'), entry('a', '2'), entry('A', '3')]
  assert.deepEqual(tarOf(entries, NOW), tarOf(entries.toReversed(), NOW))
})

test('a path that does not fit is refused by name', () => {
  const name = 'n'.repeat(101)
  assert.throws(() => tarOf([entry(name, '')], NOW), new RegExp(`^.*${name} is too long`))
  const deep = (bytes: number): string => `${'p'.repeat(77)}/${'q'.repeat(bytes - 78)}/${'n'.repeat(100)}`
  assert.throws(() => tarOf([entry(deep(156), '')], NOW), /too long/)
  assert.equal(tarOf([entry(deep(155), '')], NOW).length, 5 * 512)
  assert.throws(() => tarOf([entry(`${'p'.repeat(100)}/n`, '')], NOW), /p\/ is too long/)
  assert.equal(tarOf([entry(`${'p'.repeat(99)}/n`, '')], NOW).length, 4 * 512)
})
