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
