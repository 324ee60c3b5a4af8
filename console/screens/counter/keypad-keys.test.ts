import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pressKey, typedDigits, type KeypadKey } from './keypad-keys.ts'

const press = (...keys: KeypadKey[]): string => keys.reduce(pressKey, '')

test('an amount is entered key by key, and the last key is taken back', () => {
  assert.equal(press('1', '9', '8', '0'), '1980')
  assert.equal(press('5', '00', '00'), '50000')
  assert.equal(press('1', '2', 'back', '3'), '13')
  assert.equal(press('back'), '')
})

test('an amount begins with no zero and is never longer than an amount can be', () => {
  assert.equal(press('0', '00', '7'), '7')
  assert.equal(press('9', '9', '9', '9', '9', '9', '9', '9'), '9999999')
  assert.equal(press('9', '9', '9', '9', '9', '9', '00'), '999999')
})

test('digits typed on a keyboard are taken in any width', () => {
  assert.equal(typedDigits('¥１，９８０'), '1980')
  assert.equal(typedDigits('0012'), '12')
  assert.equal(typedDigits('123456789'), '1234567')
})
