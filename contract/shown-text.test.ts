import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawsNothing, turningProblem } from './shown-text.ts'

test('a text of spaces, ignored characters and controls alone is empty to whoever reads a receipt', () => {
  const unseen = [
    '',
    ' ',
    '\u3000',
    '\u00a0',
    '\n',
    '\u200b',
    '\u3164',
    '\uffa0',
    '\u115f',
    '\u2800',
    '\u00ad',
    '\ufe0f',
  ]
  for (const text of [...unseen, '\u{e0041}', '\u{e0100}', '\u0000', unseen.join('')])
    assert.ok(drawsNothing(text), text)
  for (const text of ['茶', 'a', '.', '\u200b.', '🍵', '\ufffd', '\u2801', 'שלום', '\u0301'])
    assert.ok(!drawsNothing(text), text)
})

test('a text of a million characters is looked through once', () => {
  const began = process.cpuUsage()
  drawsNothing(`${'\u200b'.repeat(1_000_000)}a`)
  turningProblem('\u05d0'.repeat(1_000_000))
  assert.ok(process.cpuUsage(began).user < 500_000)
})

test('what turns the direction of words is named; Arabic, Hebrew and Japanese are texts like any other', () => {
  for (const sign of ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069']) {
    const name = sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    assert.equal(
      turningProblem(`tea${sign}¥1`),
      `holds U+${name}, which turns the direction of the words around it. Leave it out.`,
    )
  }
  // The neighbours of each range, and a joiner that Persian and emoji need.
  for (const text of ['שלום 1980', 'شاي أخضر', '抹茶', '', '\u2029', '\u202f', '\u2065', '\u206a', '\u200d', '\u061b'])
    assert.equal(turningProblem(text), undefined)
})
