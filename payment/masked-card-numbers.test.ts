import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TEST_CARD_NUMBERS } from '#contract/test-cards.ts'
import { maskCardNumbers } from './masked-card-numbers.ts'

const masked = (text: string): string => maskCardNumbers(text, false)
const cut = (text: string): string => maskCardNumbers(text, true)

const DOTS = '•'.repeat(16)

test('a card number is masked however it is written, and the text around it stays', () => {
  for (const [text, wanted] of [
    ['{"number":"4242424242424242"}', `{"number":"${DOTS}"}`],
    ['card 4242 4242 4242 4242 was refused', 'card •••• •••• •••• •••• was refused'],
    ['4242-4242-4242-4242', '••••-••••-••••-••••'],
    ['pan=4242+4242+4242+4242&x=1', 'pan=••••+••••+••••+••••&x=1'],
    ['4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2', Array.from(DOTS).join(' ')],
    ['３７８２ ８２２４６３ １０００５!', '•••• •••••• •••••!'],
    ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', DOTS],
    ['²²²²', '²²²²'],
    ['a 36227206271667 b 5555555555554444', `a ${'•'.repeat(14)} b ${DOTS}`],
  ] as const)
    assert.equal(masked(text), wanted)
})

test('beside a card number three or four digits by themselves are masked as its security code, without one they stay', () => {
  assert.equal(masked('cvc 737, 4242424242424242, 12/34'), `cvc •••, ${DOTS}, 12/34`)
  assert.equal(masked('4242424242424242 1234 12345 a123'), `${DOTS} •••• 12345 a123`)
  assert.equal(masked('{"status":500,"line":1234}'), '{"status":500,"line":1234}')
})

test('what is no card number stays as it is', () => {
  for (const text of [
    '',
    'ok',
    '2026-11-17T17:03:34.123Z order 1700000000000',
    '4242424242424241',
    '14242424242424242',
    '42424242424242421',
    '4242\n4242\n4242\n4242',
    '¥4242 ¥4242 ¥4242 ¥4242',
    '424242424242424',
  ])
    assert.equal(masked(text), text)
})

test('of a text that was cut the digits at its end are masked from the seventh on, and what is whole stays', () => {
  assert.equal(cut('x 424242'), 'x 424242')
  assert.equal(cut('x 4242424'), 'x •••••••')
  assert.equal(cut('x 4242 4242 4242 424'), 'x •••• •••• •••• •••')
  assert.equal(cut('x 4242 4242 -- \uFFFD'), 'x 4242 4242 -- \uFFFD')
  assert.equal(cut('x 4242 4242 4\uFFFD'), 'x •••• •••• •\uFFFD')
  assert.equal(cut('x 4242424242 and more'), 'x 4242424242 and more')
  assert.equal(masked('x 424242424242424'), 'x 424242424242424')
})

test('wherever a text with a card number is cut, no more than the first six of its digits are left in a row', () => {
  const separators = ['', ' ', '-', ' - ']
  fc.assert(
    fc.property(
      fc.constantFrom(...TEST_CARD_NUMBERS),
      fc.constantFrom(...separators),
      fc.string({ maxLength: 20 }).map((text) => text.replaceAll(/\p{N}/gu, 'x')),
      fc.nat({ max: 120 }),
      (number, between, before, length) => {
        const written = `${before} ${Array.from(number).join(between)} `
        const kept = maskCardNumbers(written.slice(0, length), length < written.length)
        assert.ok(kept.replaceAll(/\D/g, '').length <= 6, kept)
        assert.equal(kept.length, Math.min(length, written.length))
      },
    ),
    { numRuns: 2000 },
  )
})
