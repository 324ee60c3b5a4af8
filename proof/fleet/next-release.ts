/** Next release: a copy of this tree with a version one higher and one more migration, which only adds. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../tools/root.ts'
import { createPatchedCopy, type PatchedCopy } from '../planted-bugs/patched-copy.ts'

export const nextVersion = (version: string): string => {
  const [major, minor] = version.split('.').map(Number)
  return `${major}.${(minor ?? 0) + 1}.0`
}

const VERSION = /"version": "([\d.]+)"/

/** Adds a column to tables that every payment reads and writes, and an index: what a release may change beside the one before. */
const migrationBeside = (version: string): string => `-- oldest beside: ${version}
ALTER TABLE checkouts ADD COLUMN added_by_next_release TEXT;
ALTER TABLE attempts ADD COLUMN added_by_next_release BIGINT NOT NULL DEFAULT 0;
CREATE INDEX attempts_added_by_next_release ON attempts (merchant_id, added_by_next_release) WHERE added_by_next_release > 0;
`

export interface NextRelease extends PatchedCopy {
  readonly version: string
}

export const createNextRelease = (): NextRelease => {
  const copy = createPatchedCopy(null)
  const file = join(copy.folder, 'package.json')
  const text = readFileSync(file, 'utf8')
  const current = VERSION.exec(text)?.[1] ?? ''
  const version = nextVersion(current)
  writeFileSync(file, text.replace(VERSION, `"version": "${version}"`))
  const migration = join(copy.folder, 'server', 'store', 'engine', 'migrations', '9999-added-by-next-release.sql')
  writeFileSync(migration, migrationBeside(current))
  symlinkSync(join(ROOT, 'dist'), join(copy.folder, 'dist'))
  return { ...copy, version }
}
