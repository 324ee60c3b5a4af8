import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandBlocksIn, commandLinesIn, commandsRunBy, wordsOf } from './documented-commands.ts'

const block = (commands: string): string => `\`\`\`sh\n${commands}\n\`\`\`\n`

test('a test runs every block after its comment, and "not run" holds for one block', () => {
  const document = [
    block('npm ci'),
    '<!-- run by a.test.ts -->',
    block('npm start'),
    '<!-- not run -->',
    block('npm stop'),
    block('npm test'),
    '<!-- not run: it needs `a name`\nof your own -->',
    block('npm run a\nnpm run b'),
    '<!-- run by b.test.ts -->',
    block('npm run c'),
    '```sh another-terminal\nnpm run d\n```\n',
    '```\nnpm is not typed here\n```',
  ].join('\n')
  const told = commandBlocksIn(document).map(({ commands, runner }) => [
    commands,
    runner.by === 'test' ? runner.file : runner.by,
  ])
  assert.deepEqual(told, [
    ['npm ci', 'not said'],
    ['npm start', 'a.test.ts'],
    ['npm stop', 'nobody'],
    ['npm test', 'a.test.ts'],
    ['npm run a\nnpm run b', 'nobody'],
    ['npm run c', 'b.test.ts'],
    ['npm run d', 'b.test.ts'],
  ])
  assert.deepEqual(commandsRunBy('a.test.ts', document), ['npm start', 'npm test'])
})

test('a command goes on after a backslash and ends before its remark', () => {
  assert.deepEqual(commandLinesIn('npm start   # starts\n\ncurl \\\n  --data "#1" \\\n  url'), [
    'npm start',
    'curl --data "#1" url',
  ])
})

test('quotes hold the words of an argument together', () => {
  assert.deepEqual(wordsOf(`merchant create --label tea --name "Aoyama Tea" --x 'y z'`), [
    'merchant',
    'create',
    '--label',
    'tea',
    '--name',
    'Aoyama Tea',
    '--x',
    'y z',
  ])
})
