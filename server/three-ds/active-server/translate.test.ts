import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  testCard,
  CARD_DIGITS,
  MERCHANT_ID,
  testOrder,
  testAuthenticationRequest,
} from '../../../proof/harness/fake-active-server.ts'
import { abandonBody, authBody, enrolBody, initBody, requestorTransId } from './translate.ts'

const API = 'https://api.pay.test'
const REQUEST = testAuthenticationRequest(API)
const sent = (change: Partial<typeof REQUEST>) =>
  authBody({ ...REQUEST, ...change }, MERCHANT_ID) as Record<string, unknown>

describe('what the 3-D Secure server is sent', () => {
  test('one order has one transaction id, in the form of a UUID that RFC 4122 knows', () => {
    // f83be839 299c 8d27 fe3f 0d6e5f403004 by sha256sum, with version and variant written over it.
    assert.equal(requestorTransId('k3v6wq2m'), 'f83be839-299c-5d27-be3f-0d6e5f403004')
    for (let order = 0; order < 200; order += 1)
      assert.match(
        requestorTransId(`order${order}`),
        /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
    assert.notEqual(requestorTransId('k3v6wq2n'), requestorTransId('k3v6wq2m'))
  })

  test('an enrolment is asked for with the card number alone', () => {
    assert.deepEqual(enrolBody(testCard(), MERCHANT_ID), { acctNumber: CARD_DIGITS, merchantId: MERCHANT_ID })
  })

  test('a start names the order, where events go, and a challenge that fills its frame', () => {
    assert.deepEqual(initBody(testOrder(), MERCHANT_ID), {
      acctNumber: CARD_DIGITS,
      merchantId: MERCHANT_ID,
      threeDSRequestorTransID: requestorTransId('k3v6wq2m'),
      eventCallbackUrl: 'https://3ds.pay.test/events/opaque',
      challengeWindowSize: '05',
    })
  })

  test('yen are sent as they are, from the smallest price to the greatest', () => {
    assert.equal(sent({ amountYen: 1 })['purchaseAmount'], '1')
    assert.equal(sent({ amountYen: 9_999_999 })['purchaseAmount'], '9999999')
  })

  test('a challenge is demanded of the issuer only where it is mandatory', () => {
    assert.equal('challengeInd' in sent({}), false)
    assert.equal(sent({ isChallengeMandatory: true })['challengeInd'], '04')
  })

  test('an expiry is year before month, two digits each', () => {
    const expiring = (expiryYear: number, expiryMonth: number) =>
      sent({ card: { ...testCard(), expiryYear, expiryMonth } })['cardExpiryDate']
    assert.equal(expiring(2030, 1), '3001')
    assert.equal(expiring(2026, 12), '2612')
    assert.equal(expiring(2099, 9), '9909')
    assert.equal(expiring(2100, 9), '0009')
  })

  test('the purchase is dated in UTC, whatever day it is in Japan', () => {
    assert.equal(sent({ purchasedAt: Date.parse('2027-01-01T00:00:00+09:00') })['purchaseDate'], '20261231150000')
    assert.equal(sent({ purchasedAt: Date.parse('2026-11-05T01:02:03.999Z') })['purchaseDate'], '20261105010203')
  })

  test('what the server’s own page collected is sent back unread, and no facts of ours with it', () => {
    const body = sent({ collected: 'b3BhcXVl=' })
    assert.equal(body['browserInfo'], 'b3BhcXVl=')
    assert.equal('browserInfoCollected' in body, false)
  })

  test('where it collected nothing, our own facts are sent instead', () => {
    for (const collected of [null, '']) {
      const body = sent({ collected })
      assert.equal('browserInfo' in body, false)
      assert.equal((body['browserInfoCollected'] as Record<string, unknown>)['browserLanguage'], 'zh-Hant')
    }
  })

  test('a shop’s name is cut at 40 characters', () => {
    assert.equal(sent({ merchantName: '店'.repeat(40) })['merchantName'], '店'.repeat(40))
    assert.equal(sent({ merchantName: '店'.repeat(41) })['merchantName'], '店'.repeat(40))
  })

  test('an abandoned challenge is reported by whether it was shown', () => {
    const { session } = REQUEST
    const about = { threeDSServerTransID: session.serverTransId }
    assert.deepEqual(abandonBody(session, 'not shown'), { ...about, status: 'CReqNotSent' })
    assert.deepEqual(abandonBody(session, 'shown'), { ...about, status: 'AuthResultNotDelivered' })
  })
})
