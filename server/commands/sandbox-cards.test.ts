import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SANDBOX_CARD_NUMBERS, TEST_CARD_NUMBERS } from '#contract/test-cards.ts'
import { runCommandLine } from './command-line.ts'
import { SANDBOX_CARDS } from './sandbox-cards.ts'

const run = async (...args: string[]): Promise<string[]> => {
  const printed: string[] = []
  const terminal = { print: (line: string) => printed.push(line), printError: (line: string) => assert.fail(line) }
  assert.equal(await runCommandLine(['sandbox', 'cards', ...args], {}, terminal), 0)
  return printed
}

const published = [...TEST_CARD_NUMBERS, ...SANDBOX_CARD_NUMBERS].toSorted()

test('every number that a test checkout takes stands in the table once', () => {
  assert.deepEqual(SANDBOX_CARDS.flatMap(({ cards }) => cards.map(([number]) => number)).toSorted(), published)
})

test('every card has a name of its own, of small letters, digits and hyphens', () => {
  const names = SANDBOX_CARDS.flatMap(({ cards }) => cards.map(([, name]) => name))
  assert.equal(new Set(names).size, published.length)
  for (const name of names) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
})

test('the table of docs/sandbox-cards.md says the same, row by row', async () => {
  const page = await readFile(new URL('../../docs/sandbox-cards.md', import.meta.url), 'utf8')
  const rows = page
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, numbers, names, does, ends]) => ({ numbers, names, does, ends }))
  const shown = SANDBOX_CARDS.map(({ cards, does, ends }) => ({
    numbers: cards.map(([number]) => number).join(', '),
    names: cards.map(([, name]) => name).join(', '),
    does,
    ends,
  }))
  assert.deepEqual(rows, shown)
})

test('it is printed without a server, for people within the width of a terminal, for programs as one value', async () => {
  const lines = await run()
  for (const line of lines) assert.ok(line.length <= 100, line)
  const numbers = lines.flatMap((line) => /^\d{14,16}(?= |$)/.exec(line) ?? [])
  assert.deepEqual(numbers.toSorted(), published)
  const [value = '', ...more] = await run('--json')
  assert.deepEqual(more, [])
  const { items } = JSON.parse(value) as { items: Record<string, unknown>[] }
  assert.deepEqual(items.map(({ number }) => String(number)).toSorted(), published)
  assert.deepEqual(items[0], {
    number: '4242424242424242',
    name: 'paid',
    brand: 'visa',
    does: SANDBOX_CARDS[0]?.does,
    ends: 'paid',
  })
})
