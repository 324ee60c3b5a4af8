import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PAGE_LOCALES } from './locale.ts'
import { INSTANTS, referenceText, ZONES } from './testing/jst-reference.ts'

/** A process of its own for each zone, as a server of that zone would run: what it writes, and the zone it is in. */
const WRITER = `
  import { jstText } from './jst.ts'
  import { json } from 'node:stream/consumers'
  const { instants, locales } = await json(process.stdin)
  const texts = locales.map((locale) => instants.map((instant) => jstText(instant, locale)))
  const minutesInJuly = new Date('2026-07-01T12:00:00Z').getTimezoneOffset()
  console.log(JSON.stringify({ texts, minutesInJuly }))
`

const writtenIn = async (zone: string): Promise<unknown> => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITER], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { ...process.env, TZ: zone },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify({ instants: INSTANTS, locales: PAGE_LOCALES }))
  const written: unknown = JSON.parse(await text(child.stdout))
  return written
}

const expected = PAGE_LOCALES.map((locale) => INSTANTS.map((instant) => referenceText(instant, locale)))

test('at least a thousand different instants are tested, with both sides of the year end and of the leap day in Japan', () => {
  assert.ok(new Set(INSTANTS).size >= 1000, String(new Set(INSTANTS).size))
  const inJapanese = new Set(expected[PAGE_LOCALES.indexOf('ja')])
  for (const shown of ['2026年12月31日 23:59', '2027年1月1日 00:00', '2028年2月29日 00:00', '2100年2月28日 23:59'])
    assert.ok(inJapanese.has(shown), shown)
})

for (const [zone, minutesInJuly] of ZONES) {
  test(`a server in ${zone} writes deadlines and payments by the clock in Japan, in every language`, async () => {
    assert.deepEqual(await writtenIn(zone), { texts: expected, minutesInJuly })
  })
}
