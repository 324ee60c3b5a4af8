import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../setup/setup.mjs'
import { figuresOf, readResults, withFigures } from './readme-figures.ts'

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

test('the table of README.md says what docs/proof.json and docs/bench.json say', () => {
  assert.equal(README, withFigures(README, readResults(ROOT)))
})

test('a figure that was measured anew replaces the one before in README.md, and nothing else there changes', () => {
  const { prove, bench } = readResults(ROOT)
  const changed: unknown = JSON.parse(JSON.stringify(prove), (key, value: unknown) => (key === 'lost' ? 7 : value))
  const written = withFigures(README, { prove: changed, bench })
  assert.match(written, /: 7 of [\d,]+ acknowledged writes lost/)
  assert.equal(withFigures(written, { prove, bench }), README)
  assert.throws(() => withFigures('# Kaikei', { prove, bench }), /no table of figures/)
})

test('a figure that was not measured is missed by name', () => {
  const of = figuresOf({ crashes: { figures: { lost: 0, seed: 'a', deep: { lost: 1 } } } }, 'crashes')
  assert.deepEqual([of('lost'), of('seed')], ['0', 'a'])
  for (const name of ['found', 'deep']) assert.throws(() => of(name), new RegExp(`crashes has no figure ${name}`))
  assert.throws(() => figuresOf({}, 'fuzz')('hangs'), /fuzz has no figure hangs/)
})
