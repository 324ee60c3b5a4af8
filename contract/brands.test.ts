import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  BIN_CODES,
  brandByPrefix,
  brandOfNumber,
  CARD_BRANDS,
  inDisplayOrder,
  isCardBrand,
  prefixesBetween,
} from './brands.ts'

/** The ranges once more, as six-digit numbers and by comparison alone: nothing of the code under test is used. */
const issuedBy = (bin: number): string | undefined => {
  const within = (first: number, last: number): boolean => bin >= first && bin <= last
  if (within(400_000, 499_999)) return 'visa'
  if (within(222_100, 272_099) || within(510_000, 559_999)) return 'master'
  if (within(352_800, 358_999)) return 'jcb'
  if (within(340_000, 349_999) || within(370_000, 379_999)) return 'amex'
  if (within(300_000, 305_999) || within(309_500, 309_599)) return 'diners'
  if (within(360_000, 369_999) || within(380_000, 399_999)) return 'diners'
  if (within(601_100, 601_199) || within(622_126, 622_925) || within(644_000, 659_999)) return 'discover'
  return undefined
}

const sixDigits = (bin: number): string => String(bin).padStart(6, '0')

test('the published prefixes cover exactly the ranges of the six brands, over every six-digit prefix', () => {
  const claimedBy: (string | undefined)[] = Array.from({ length: 1_000_000 })
  for (const { prefix, brand } of BIN_CODES) {
    assert.match(prefix, /^[1-9]\d{0,5}$/)
    const span = 10 ** (6 - prefix.length)
    for (let bin = Number(prefix) * span; bin < (Number(prefix) + 1) * span; bin += 1) {
      assert.equal(claimedBy[bin], undefined, `${sixDigits(bin)} is claimed twice`)
      claimedBy[bin] = brand
    }
  }
  const wrong = claimedBy.findIndex((brand, bin) => brand !== issuedBy(bin))
  assert.equal(wrong, -1, `${sixDigits(wrong)} is given to ${claimedBy[wrong]}, but belongs to ${issuedBy(wrong)}`)
})

test('the brand of a number is found over every six-digit prefix near a range and a sample of all others', () => {
  const ends = [
    222_100, 272_099, 300_000, 305_999, 309_500, 309_599, 340_000, 352_800, 358_999, 360_000, 370_000,
  ].concat([380_000, 400_000, 499_999, 510_000, 559_999, 601_100, 601_199, 622_126, 622_925, 644_000, 649_999, 659_999])
  const near = ends.flatMap((end) => Array.from({ length: 201 }, (_, place) => end - 100 + place))
  const spread = Array.from({ length: 10_000 }, (_, place) => place * 100)
  for (const bin of [...near, ...spread])
    assert.equal(brandOfNumber(`${sixDigits(bin)}0000000000`), issuedBy(bin), sixDigits(bin))
})

test('each range begins and ends where its brand says', () => {
  const edges: readonly (readonly [string, string | undefined])[] = [
    ['3527', undefined],
    ['3528', 'jcb'],
    ['3589', 'jcb'],
    ['3590', undefined],
    ['2220', undefined],
    ['2221', 'master'],
    ['2720', 'master'],
    ['2721', undefined],
    ['50', undefined],
    ['51', 'master'],
    ['55', 'master'],
    ['56', undefined],
    ['622125', undefined],
    ['622126', 'discover'],
    ['622925', 'discover'],
    ['622926', undefined],
    ['6010', undefined],
    ['6011', 'discover'],
    ['6012', undefined],
    ['643', undefined],
    ['644', 'discover'],
    ['649', 'discover'],
    ['650', 'discover'],
    ['659', 'discover'],
    ['660', undefined],
    ['299', undefined],
    ['300', 'diners'],
    ['305', 'diners'],
    ['306', undefined],
    ['3094', undefined],
    ['3095', 'diners'],
    ['3096', undefined],
    ['33', undefined],
    ['34', 'amex'],
    ['36', 'diners'],
    ['37', 'amex'],
    ['38', 'diners'],
    ['39', 'diners'],
    ['399', 'diners'],
    ['4', 'visa'],
  ]
  for (const [digits, brand] of edges) assert.equal(brandOfNumber(digits), brand, digits)
})

test('while too few digits are typed to know the brand, none is shown', () => {
  for (const digits of [
    '',
    '2',
    '22',
    '222',
    '3',
    '30',
    '309',
    '35',
    '352',
    '5',
    '6',
    '60',
    '601',
    '62',
    '6221',
    '62212',
  ])
    assert.equal(brandByPrefix(digits, BIN_CODES), undefined, digits)
  assert.equal(brandByPrefix('4', []), undefined)
})

test('the longest prefix wins, whatever its place in the list, and a brand outside the six is no card brand', () => {
  const codes = [
    { prefix: '4', brand: 'visa' },
    { prefix: '4571', brand: 'dankort' },
    { prefix: '45', brand: 'other' },
  ]
  for (const list of [codes, codes.toReversed()]) {
    assert.equal(brandByPrefix('4571000000000001', list), 'dankort')
    assert.equal(brandByPrefix('4570', list), 'other')
    assert.equal(brandByPrefix('44', list), 'visa')
  }
  for (const brand of CARD_BRANDS) assert.equal(isCardBrand(brand), true)
  for (const brand of ['dankort', 'VISA', 'mastercard', '']) assert.equal(isCardBrand(brand), false)
})

test('a range becomes the fewest prefixes that cover exactly it', () => {
  assert.deepEqual(prefixesBetween('3528', '3589'), ['3528', '3529', '353', '354', '355', '356', '357', '358'])
  assert.deepEqual(prefixesBetween('65', '65'), ['65'])
  assert.deepEqual(prefixesBetween('644', '649'), ['644', '645', '646', '647', '648', '649'])
  assert.deepEqual(prefixesBetween('100', '999'), ['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  const anyRange = fc
    .tuple(fc.integer({ min: 1000, max: 9999 }), fc.integer({ min: 1000, max: 9999 }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  fc.assert(
    fc.property(anyRange, ([first, last]) => {
      const prefixes = prefixesBetween(String(first), String(last))
      const covered = prefixes.flatMap((prefix) => {
        const span = 10 ** (4 - prefix.length)
        return Array.from({ length: span }, (_, place) => Number(prefix) * span + place)
      })
      assert.deepEqual(
        covered,
        Array.from({ length: last - first + 1 }, (_, place) => first + place),
      )
      const siblings = Map.groupBy(prefixes, (prefix) => prefix.slice(0, -1))
      for (const [parent, children] of siblings) assert.ok(parent === '' || children.length < 10, parent)
    }),
  )
})

test('brands are shown in their fixed order, each once, unknown brands last and in the order given', () => {
  assert.deepEqual(CARD_BRANDS, ['visa', 'master', 'jcb', 'amex', 'diners', 'discover'])
  assert.deepEqual(inDisplayOrder([...CARD_BRANDS].toReversed()), [...CARD_BRANDS])
  assert.deepEqual(inDisplayOrder(['zeta', 'jcb', 'alpha', 'visa', 'jcb']), ['visa', 'jcb', 'zeta', 'alpha'])
  assert.deepEqual(inDisplayOrder([]), [])
  const given = Object.freeze(['jcb', 'visa'])
  assert.deepEqual(inDisplayOrder(given), ['visa', 'jcb'])
})
