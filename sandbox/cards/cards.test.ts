import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sandboxCards } from './card-table.ts'
import { acquirerBehaviourOf, brandOf, passesLuhn } from './cards.ts'

test('every sandbox card has a valid check digit, a known brand and a description of its own', () => {
  assert.equal(sandboxCards.length, 50)
  for (const { number, description } of sandboxCards) {
    assert.ok(passesLuhn(number), number)
    assert.notEqual(brandOf(number), 'unknown', number)
    assert.match(description, /^[A-Z].+\.$/, number)
  }
  assert.equal(new Set(sandboxCards.map(({ number }) => number)).size, sandboxCards.length)
  assert.equal(new Set(sandboxCards.map(({ description }) => description)).size, sandboxCards.length)
})

test('a card that is not listed is charged at once', () => {
  assert.deepEqual(acquirerBehaviourOf('4000000000000002'), { kind: 'charge' })
})

test('a card number with one digit changed fails its check digit', () => {
  assert.ok(passesLuhn('4111111111111111'))
  assert.ok(passesLuhn('340000000000108'))
  assert.ok(!passesLuhn('4111111111111112'))
  assert.ok(!passesLuhn('4211111111111111'))
})

test('a brand is recognised at both ends of each number range, and not outside it', () => {
  const brands: Record<string, string[]> = {
    visa: ['4000', '4999'],
    master: ['5100', '5599', '2221', '2720'],
    jcb: ['3528', '3589'],
    amex: ['3400', '3499', '3700', '3799'],
    diners: ['3000', '3059', '3600', '3699', '3800', '3999'],
    discover: ['6011', '6440', '6499', '6500', '6599'],
    unknown: ['5099', '5600', '2220', '2721', '3527', '3590', '3300', '3060', '6010', '6012', '6439', '6600', '9999'],
  }
  for (const [brand, prefixes] of Object.entries(brands)) {
    for (const prefix of prefixes) assert.equal(brandOf(`${prefix}000000000000`), brand, prefix)
  }
})
