import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pseudoText, pseudoWords } from './pseudo.mjs'

test('a text in the pseudo-language is marked at both ends, dressed, and a third longer', () => {
  assert.equal(pseudoText('Pay now'), '[‼ Þåý ñöŵ~~~ ‼]')
  assert.equal(pseudoText('OK 3-D'), '[‼ ÖĶ 3-Ð~~ ‼]')
  assert.equal(pseudoText(''), '[‼  ‼]')
})

test('what a text is given, the shop’s name or an amount, stays as it is', () => {
  const pseudo = pseudoWords({ card: { pay: (amount: string) => `Pay ${amount}`, cancel: 'Cancel' } })
  assert.ok(typeof pseudo === 'object' && pseudo !== null && 'card' in pseudo)
  const { card } = pseudo
  assert.ok(typeof card === 'object' && card !== null && 'pay' in card && 'cancel' in card)
  assert.ok(typeof card.pay === 'function')
  assert.equal(Reflect.apply(card.pay, undefined, ['¥1,980 JPY']), '[‼ Þåý ¥1,980 JPY~~ ‼]')
  assert.equal(card.cancel, '[‼ Çåñçéļ~~ ‼]')
})

test('every letter is dressed, and no two alike', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const dressed = Array.from(letters, (letter) => pseudoText(letter))
  assert.equal(new Set(dressed).size, letters.length)
  for (const [place, text] of dressed.entries()) assert.ok(!text.includes(letters.charAt(place)), text)
})
