import assert from 'node:assert/strict'
import { test } from 'node:test'
import { helpOf, isProblem, readArguments, type Command } from './command.ts'

const command: Command = {
  summary: 'pours tea',
  places: ['pot'],
  options: {
    sort: { value: '<sort>', help: 'which tea', isRequired: true },
    note: { value: '<text>', help: 'what to say' },
    leaf: { value: '<text>', help: 'what floats', isRepeatable: true },
  },
  endsWithOne: 'the pot was empty',
  example: 'tea pour 1 --sort sencha',
  run: async () => 0,
}

const read = (...args: string[]) => readArguments('tea pour', command, args)

const problemOf = (...args: string[]): string => {
  const given = read(...args)
  return isProblem(given) ? given.problem : assert.fail('it was read')
}

test('arguments are read in any order, by name or by place, and with an equals sign', () => {
  for (const args of [
    ['1', '--sort', 'sencha'],
    ['--sort', 'sencha', '1'],
    ['--sort=sencha', '1'],
    ['--sort', 'sencha', '--', '1'],
  ]) {
    const given = read(...args)
    if (isProblem(given)) assert.fail(given.problem)
    assert.deepEqual([given.text('pot'), given.text('sort'), given.json], ['1', 'sencha', false], args.join(' '))
    assert.equal(given.textOrNull('note'), null)
    assert.throws(() => given.text('note'))
  }
})

test('a value may be empty or begin with a hyphen when it is said so', () => {
  const given = read('1', '--sort=--odd', '--note=', '--json')
  if (isProblem(given)) assert.fail(given.problem)
  assert.deepEqual([given.text('sort'), given.textOrNull('note'), given.json], ['--odd', '', true])
})

test('what is wrong is named together with where to look', () => {
  const see = 'see npm run -s kaikei -- tea pour --help.'
  assert.equal(problemOf(), `tea pour does not say which pot: ${see}`)
  assert.equal(problemOf('1'), `tea pour needs --sort: ${see}`)
  assert.equal(problemOf('1', '2', '--sort', 'x'), `tea pour takes nothing more than it was given: ${see}`)
  assert.equal(problemOf('1', '--srot', 'x'), `tea pour has no option --srot: did you mean --sort? Or ${see}`)
  assert.equal(problemOf('1', '--colour', 'x'), `tea pour has no option --colour: ${see}`)
  assert.equal(problemOf('1', '-s'), `tea pour has no option -s: ${see}`)
  assert.equal(problemOf('1', '--sort'), `--sort has no value: ${see}`)
  assert.equal(problemOf('1', '--sort', '--note', 'x'), `--sort has no value: ${see}`)
  assert.equal(problemOf('1', '--sort', 'a', '--sort', 'b'), '--sort is given twice: leave one out.')
})

test('the help names every argument and ends with an example', () => {
  assert.deepEqual(helpOf('tea pour', command), [
    'Pours tea.',
    '',
    '  npm run -s kaikei -- tea pour <pot> --sort <sort> [--note <text>] [--leaf <text>]… [--json]',
    '',
    '  --sort <sort>  which tea',
    '  --note <text>  what to say',
    '  --leaf <text>  what floats',
    '  --json         for programs: one JSON value instead of a table',
    '',
    'Exit codes: 0 done; 1 the pot was empty; 2 not done: a line says what to mend.',
    'Example: npm run -s kaikei -- tea pour 1 --sort sencha',
  ])
})

test('an option that may be repeated keeps every value, and no other may be', () => {
  const given = read('1', '--sort', 'x', '--leaf', 'a', '--leaf=b')
  if (isProblem(given)) assert.fail(given.problem)
  assert.deepEqual([given.texts('leaf'), given.texts('note'), given.textOrNull('leaf')], [['a', 'b'], [], 'a'])
})

test('an argument whose bytes are no UTF-8 is refused: it would stand on the page of a shopper', () => {
  // As Node reads the byte e9 of a terminal in Latin-1.
  assert.match(
    problemOf('1', '--sort', 'caf\ufffd'),
    /^tea pour was given a text that is no UTF-8: set the terminal to UTF-8/,
  )
  assert.ok(!isProblem(read('1', '--sort', 'café 🍵')))
})
