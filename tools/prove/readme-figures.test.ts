import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../root.ts'
import { figuresOf, READMES, readResults, withFigures } from './readme-figures.ts'

for (const readme of READMES) {
  const text = readFileSync(join(ROOT, readme.file), 'utf8')

  test(`the table of ${readme.file} says what docs/proof.json and docs/bench.json say`, () => {
    assert.equal(text, withFigures(readme, text, readResults(ROOT)))
  })

  test(`a figure that was measured anew replaces the one before in ${readme.file}, and nothing else there changes`, () => {
    const { prove, bench } = readResults(ROOT)
    const changed: unknown = JSON.parse(JSON.stringify(prove), (key, value: unknown) =>
      key === 'lost' ? 777_777 : value,
    )
    const written = withFigures(readme, text, { prove: changed, bench })
    assert.match(written, /777,777/)
    assert.equal(withFigures(readme, written, { prove, bench }), text)
    assert.throws(() => withFigures(readme, '# Kaikei', { prove, bench }), /no table of figures/)
  })
}

test('a figure that was not measured is an error that names it', () => {
  const of = figuresOf({ crashes: { figures: { lost: 0, seed: 'a', deep: { lost: 1 } } } }, 'crashes')
  assert.deepEqual([of('lost'), of('seed')], ['0', 'a'])
  for (const name of ['found', 'deep']) assert.throws(() => of(name), new RegExp(`crashes has no figure ${name}`))
  assert.throws(() => figuresOf({}, 'fuzz')('hangs'), /fuzz has no figure hangs/)
})

test('a row says when it was run, and before how many changes of the product', () => {
  const row = (readme: (typeof READMES)[number], changesSince: unknown): string => {
    const figures = { requests: 5, answers5xx: 0, hangs: 0, crashes: 0 }
    const prove = { fuzz: { date: '2026-11-17T21:34:52.349Z', commit: 'c0ffee', changesSince, seconds: 1, figures } }
    const text = withFigures(readme, '<!-- figures: here -->\n\nold\n\n<!-- end of figures -->', { prove, bench: {} })
    return (
      text
        .split('\n')
        .find((line) => line.includes('prove -- fuzz'))
        ?.split('|')[2]
        ?.trim() ?? ''
    )
  }
  const [english, japanese] = READMES
  assert.ok(english !== undefined && japanese !== undefined)
  assert.deepEqual(
    [0, 1, 1812, null].map((changes) => row(english, changes)),
    [
      '2026-11-17',
      '2026-11-17, before 1 change',
      '2026-11-17, before 1,812 changes',
      '2026-11-17, before unknown changes',
    ],
  )
  assert.deepEqual(
    [0, 812, null].map((changes) => row(japanese, changes)),
    ['2026-11-17', '2026-11-17（以後の変更：812件）', '2026-11-17（以後の変更：不明）'],
  )
})
