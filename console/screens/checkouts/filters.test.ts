import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, countSet, filtersIn, NO_FILTERS, queryOf } from './filters.ts'

const SET = {
  search: ' 4242 ',
  status: 'paid',
  brand: 'jcb',
  created: { from: '2026-11-01', to: '2026-11-18' },
  amountFrom: '１，０００',
  amountTo: '¥5,000',
} as const

test('filters stand in the address of the screen, so that going back finds the same list', () => {
  assert.deepEqual(filtersIn(addressOf(SET)), { ...SET, search: '4242' })
  assert.equal(String(addressOf(NO_FILTERS)), '')
  assert.deepEqual(filtersIn(new URLSearchParams()), NO_FILTERS)
})

test('what is no filter in an address is passed over', () => {
  const address = new URLSearchParams('status=done&brand=suica&from=2026-11-02&to=2026-11-01&x=1')
  assert.deepEqual(filtersIn(address), NO_FILTERS)
  // A day that does not exist would end the screen.
  assert.deepEqual(filtersIn(new URLSearchParams('from=2026-02-30&to=2026-03-01')), NO_FILTERS)
})

test('filters are sent as the API takes them, amounts as plain yen', () => {
  assert.deepEqual(queryOf(SET), {
    search: '4242',
    status: 'paid',
    cardBrand: 'jcb',
    createdFrom: '2026-11-01',
    createdTo: '2026-11-18',
    amountFrom: '1000',
    amountTo: '5000',
  })
  assert.deepEqual(queryOf({ ...NO_FILTERS, status: 'pending' }), { pending: 'true' })
  assert.deepEqual(queryOf({ ...NO_FILTERS, amountFrom: 'many' }), {})
})

test('the filters beside the search box are counted', () => {
  assert.deepEqual([countSet(NO_FILTERS), countSet(SET)], [0, 5])
})
