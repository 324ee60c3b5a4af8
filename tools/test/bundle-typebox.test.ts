import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../root.ts'
import { ensureTypeboxBundled, quickImportOptions, typeboxEntries } from './bundle-typebox.ts'

/** Bundled typebox: the same library, and only for the code of this folder. */

before(ensureTypeboxBundled)

const bundled = (name: string): string => pathToFileURL(join(ROOT, 'dist', '.typebox', `${name}.mjs`)).href

const namesOf = async (url: string): Promise<string[]> => {
  const loaded: object = await import(url)
  return Object.keys(loaded).toSorted()
}

for (const [name, file] of Object.entries(typeboxEntries())) {
  test(`the bundle of typebox exports the same names as the library: ${name}`, async () => {
    const names = await namesOf(bundled(name))
    assert.notEqual(names.length, 0)
    assert.deepEqual(names, await namesOf(pathToFileURL(file).href))
  })
}

/** Where a module beside this path finds typebox, in a process with quick imports. */
const resolvedFrom = (folder: string): string =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { where } = await import(${JSON.stringify(pathToFileURL(join(folder, 'where.mjs')).href)})
       process.stdout.write(where)`,
    ],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: quickImportOptions({}) } },
  )

const folder = mkdtempSync(join(tmpdir(), 'kaikei-quick-imports-'))
const inside = mkdtempSync(join(ROOT, 'dist', '.quick-imports-'))
after(() => {
  for (const each of [folder, inside]) rmSync(each, { recursive: true, force: true })
})

test('code of this folder takes typebox from the bundle; a copy elsewhere takes the library itself', () => {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const each of [folder, inside])
    writeFileSync(join(each, 'where.mjs'), `export const where = import.meta.resolve('typebox')`)
  assert.equal(resolvedFrom(inside), bundled('index'))
  assert.match(resolvedFrom(folder), /node_modules\/typebox\/build\/index\.mjs$/)
})

test('options of Node that are set already stay', () => {
  assert.match(quickImportOptions({ NODE_OPTIONS: '--no-warnings' }), /^--no-warnings --import=file:/)
  assert.match(quickImportOptions({ NODE_OPTIONS: '' }), /^--import=file:/)
})
