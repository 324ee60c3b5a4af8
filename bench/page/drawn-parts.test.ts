import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawnParts, type DrawnNode } from './drawn-parts.ts'

const node = (given: Partial<DrawnNode>): DrawnNode => ({
  kind: 'text',
  text: '',
  within: 'p',
  block: 1,
  isShown: true,
  field: '',
  attributes: {},
  ...given,
})

const textsOf = (nodes: readonly DrawnNode[]): string[] => drawnParts(nodes).map(({ text }) => text)

test('texts of one block are one text, with single spaces', () => {
  const nodes = [node({ text: ' ¥4,980', within: 'h1' }), node({ text: '\n  JPY ', within: 'h1' })]
  assert.deepEqual(textsOf(nodes), ['¥4,980 JPY'])
})

test('texts of two blocks, and a link beside a text, stay apart', () => {
  assert.deepEqual(textsOf([node({ text: 'Remarks' }), node({ text: 'Wrapped', block: 2 })]), ['Remarks', 'Wrapped'])
  assert.deepEqual(textsOf([node({ text: 'See ' }), node({ text: 'terms', within: 'a' })]), ['See', 'terms'])
})

test('hidden and empty texts are left out', () => {
  assert.deepEqual(textsOf([node({ text: 'Amount', isShown: false }), node({ text: ' \n' })]), [])
})

test('a picture of the shop stays a picture, and an icon of ours becomes its alternative text', () => {
  const cover = node({ kind: 'picture', text: '', attributes: { src: 'http://demo.localhost/demo/cover.jpg' } })
  const icon = node({
    kind: 'picture',
    text: 'Visa',
    block: 2,
    attributes: { src: 'http://demo.localhost/assets/v.svg' },
  })
  const parts = drawnParts([cover, icon])
  assert.deepEqual(
    parts.map(({ kind, text }) => [kind, text]),
    [
      ['picture', ''],
      ['text', 'Visa'],
    ],
  )
  assert.equal(parts[0]?.attributes['src'], 'http://demo.localhost/demo/cover.jpg')
})

test('a field keeps its place although it has no text', () => {
  const parts = drawnParts([node({ text: 'Email', within: 'label', field: 'e' }), node({ kind: 'field', field: 'e' })])
  assert.deepEqual(
    parts.map(({ kind, field }) => [kind, field]),
    [
      ['text', 'e'],
      ['field', 'e'],
    ],
  )
})
