import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { isOlderRelease, isRelease } from '../../config/release-order.ts'
import { releaseNumber } from '../../config/release.ts'
import { readMigrations } from './migrate.ts'

/** migrations/README.md, as far as it can be checked. */

/** The first one that had to be written so: no release before it ran beside another. */
const BASE = '0027-oldest-beside.sql'
const CONTRACTS =
  /\b(DROP\s+(TABLE|COLUMN|INDEX|CONSTRAINT)|RENAME\s+(TO|COLUMN)|ALTER\s+COLUMN|ADD\s+(CONSTRAINT|CHECK|UNIQUE|FOREIGN)|CREATE\s+UNIQUE\s+INDEX)\b/i
const UNUSED_SINCE = /^-- unused since: (\S+)$/m

interface Written {
  readonly name: string
  readonly text: string
  readonly oldestBeside: string
}

/** What breaks the rules in a migration; null: nothing. */
const faultOf = ({ name, text, oldestBeside }: Written): string | null => {
  const statements = text.replaceAll(/^--(?! only ).*$/gm, '')
  const unusedSince = UNUSED_SINCE.exec(text)?.[1]
  if (CONTRACTS.test(statements)) {
    if (unusedSince === undefined || !isRelease(unusedSince)) return `${name} does not say since when it is unused`
    if (isOlderRelease(oldestBeside, unusedSince)) return `${name} allows a release that still uses what it takes away`
  }
  return isOlderRelease(releaseNumber(), oldestBeside) ? `${name} demands a release that does not exist yet` : null
}

test('every migration allows the servers of the release before to take payments while it is applied', async () => {
  const later = (await readMigrations()).filter(({ name }) => name > BASE)
  assert.deepEqual(
    later.map(faultOf).filter((fault) => fault !== null),
    [],
  )
})

const INDEX =
  /^(?:-- only \w+: )?CREATE (?:UNIQUE )?INDEX (?<beforehand>IF NOT EXISTS )?(?<name>\w+) ON (?<table>\w+)/gm

test('every index on a table that an earlier release has filled can be built before the update, and is named to the operator', async () => {
  const migrations = await readMigrations()
  const earlier = migrations.filter(({ name }) => name <= BASE).map(({ text }) => text)
  const isFilled = (table = ''): boolean => earlier.some((text) => text.includes(`CREATE TABLE ${table} (`))
  const made = migrations
    .filter(({ name }) => name > BASE)
    .flatMap(({ text }) => [...text.matchAll(INDEX)].map(({ groups = {} }) => groups))
    .filter(({ table }) => isFilled(table))
  assert.ok(made.length > 0)
  const pages = await Promise.all(
    ['docs/operations.md', 'docs/ja/operations.md'].map((page) =>
      readFile(new URL(`../../../${page}`, import.meta.url), 'utf8'),
    ),
  )
  for (const { name = '', beforehand } of made) {
    assert.ok(beforehand, `${name} does not say IF NOT EXISTS`)
    for (const page of pages) assert.ok(page.includes(name), `docs/operations.md does not name ${name}`)
  }
})

test('a migration that drops what an older release may still use is found', () => {
  const migration = (text: string, oldestBeside = '1.50.0'): Written => ({ name: '9000.sql', text, oldestBeside })
  assert.equal(faultOf(migration('ALTER TABLE checkouts ADD COLUMN more TEXT;')), null)
  assert.match(faultOf(migration('ALTER TABLE checkouts DROP COLUMN more;')) ?? '', /since when it is unused/)
  const dropping = '-- unused since: 1.50.0\nALTER TABLE checkouts DROP COLUMN more;'
  assert.equal(faultOf(migration(dropping)), null)
  assert.match(faultOf(migration(dropping, '1.49.0')) ?? '', /still uses what it takes away/)
  assert.match(faultOf(migration('SELECT 1', '999.0.0')) ?? '', /does not exist yet/)
})
