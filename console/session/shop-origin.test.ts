import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shopOrigin } from './shop-origin.ts'

test('the pages of a shop stand beside the console, below the same base and port', () => {
  const at = (address: string) => shopOrigin('tea', new URL(address))
  assert.equal(at('http://console.localhost:3000/shops/tea/test/look'), 'http://tea.localhost:3000')
  assert.equal(at('https://console.pay.example.com/'), 'https://tea.pay.example.com')
})
