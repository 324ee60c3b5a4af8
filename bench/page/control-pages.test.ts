import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { bareForm, picturesOf, sameWords, type ControlPage } from './control-pages.ts'
import type { DrawnPart } from './drawn-parts.ts'

const part = (given: Partial<DrawnPart>): DrawnPart => ({
  kind: 'text',
  text: '',
  within: 'p',
  block: 1,
  field: '',
  attributes: {},
  ...given,
})
const field = (name: string, autocomplete: string): DrawnPart[] => [
  part({ text: name, within: 'label', field: name }),
  part({ kind: 'field', within: 'input', field: name, attributes: { autocomplete, inputmode: '' } }),
]

const COVER = 'http://demo.localhost:3000/demo/cover.jpg'
const CARD: ControlPage = {
  locale: 'en-US',
  title: 'Payment to A & B',
  parts: [
    part({ kind: 'picture', within: 'img', text: 'A & B', attributes: { src: COVER, width: '390', height: '96' } }),
    part({ text: 'English', within: 'button' }),
    part({ text: '¥4,980 <JPY>', within: 'h1' }),
    ...field('Card number', 'cc-number'),
    ...field('Expiration date', 'cc-exp'),
    ...field('CVC', 'cc-csc'),
    ...field('Name on card', 'cc-name'),
    ...field('Email', 'email'),
    part({ text: 'Pay', within: 'button' }),
    part({ text: 'Cancel', within: 'button' }),
    part({ text: 'Terms', within: 'a' }),
  ],
}

test('the same words are all words, escaped, with the picture at its path and every field under its label', () => {
  const html = sameWords(CARD)
  assert.match(html, /<html lang="en-US">.*<title>Payment to A &amp; B<\/title>/)
  assert.match(html, /<img alt="A &amp; B" src="\/demo\/cover.jpg" width="390" height="96">/)
  assert.match(html, /<h1>¥4,980 &lt;JPY><\/h1>/)
  assert.match(html, /<label for="f4">Email<\/label><input id="f4" autocomplete="email"><button>Pay/)
  assert.match(html, /<button>Cancel<\/button><a href="#">Terms<\/a>/)
})

test('the bare form has the four fields of a card and the button that pays', () => {
  const html = bareForm(CARD)
  assert.deepEqual(
    [...html.matchAll(/<input[^>]*autocomplete="([^"]*)"/g)].map(([, name]) => name),
    ['cc-number', 'cc-exp', 'cc-csc', 'cc-name'],
  )
  assert.deepEqual(html.match(/<button>\w+/g), ['<button>Pay'])
  assert.doesNotMatch(html, /<img|<h1|Email|Terms/)
})

test('the script of a control groups the digits of the card number', () => {
  const [, script = ''] = /<script>(.*)<\/script>/.exec(sameWords(CARD)) ?? []
  const input: { value: string; oninput?: (event: object) => void } = { value: '42424242 42424242' }
  runInNewContext(script, { document: { querySelector: () => input } })
  input.oninput?.({ target: input })
  assert.equal(input.value, '4242 4242 4242 4242')
})

test('a page without a card number has no script', () => {
  assert.doesNotMatch(sameWords({ ...CARD, parts: [part({ text: 'Paid', within: 'h1' })] }), /<script/)
})

test('the pictures are those that the control must serve', () => {
  assert.deepEqual(picturesOf(CARD), [COVER])
})
