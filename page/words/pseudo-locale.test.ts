import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pseudoText, pseudoWords } from './pseudo-locale.mjs'

test('a text in the pseudo-language is marked at both ends, accented, and a third longer', () => {
  assert.equal(pseudoText('Pay now'), '[‼ Þåý ñöŵ~~~ ‼]')
  assert.equal(pseudoText('OK 3-D'), '[‼ ÖĶ 3-Ð~~ ‼]')
  assert.equal(pseudoText(''), '[‼  ‼]')
})

test('the arguments of a text, the shop’s name or an amount, stay as they are', () => {
  const pseudo = pseudoWords({ card: { pay: (amount: string) => `Pay ${amount}`, cancel: 'Cancel' } })
  assert.ok(typeof pseudo === 'object' && pseudo !== null && 'card' in pseudo)
  const { card } = pseudo
  assert.ok(typeof card === 'object' && card !== null && 'pay' in card && 'cancel' in card)
  assert.ok(typeof card.pay === 'function')
  assert.equal(Reflect.apply(card.pay, undefined, ['¥1,980 JPY']), '[‼ Þåý ¥1,980 JPY~~ ‼]')
  assert.equal(card.cancel, '[‼ Çåñçéļ~~ ‼]')
})

test('every letter gets its own accented letter', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const accented = Array.from(letters, (letter) => pseudoText(letter))
  assert.equal(new Set(accented).size, letters.length)
  for (const [index, text] of accented.entries()) assert.ok(!text.includes(letters.charAt(index)), text)
})
