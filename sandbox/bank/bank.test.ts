import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import {
  BROWSER_INFO,
  EVENT_URL,
  formAt,
  formsOf,
  openChallengePage,
  serveThreeDS,
  submitReturnForm,
  type StartedTransaction,
  type ThreeDSClient,
} from '../testing/three-ds.ts'
import { decodeMessage } from '../three-ds/form-message.ts'
import { judgeSubmission } from './challenge-submission.ts'
import { BANK_LANGUAGES, bankWords, chooseLanguage } from './words.ts'

const RIGHT_CODE = { code: '123456', action: 'confirm' }
const WRONG_CODE = { code: '654321', action: 'confirm' }
const CANCEL = { code: '', action: 'cancel' }

const JAPANESE = bankWords.ja

/** A challenge whose page is open. */
const startChallenge = async (client: ThreeDSClient, number: string, init: object = {}, auth: object = {}) => {
  const started = await client.start(number, init)
  const page = await openChallengePage(client, await client.authenticate(started, auth))
  return { started, page, form: formAt(page) }
}

const statusOf = async ({ result, readMonitorEvent }: ThreeDSClient, started: StartedTransaction): Promise<string> => {
  const { body } = await result(started)
  const values = ['transStatus', 'transStatusReason', 'challengeCancel'].map((name) => {
    const value = field(body, name)
    return typeof value === 'string' ? value : '-'
  })
  return `${values.join(' ')} ${String(await readMonitorEvent(started))}`
}

const PASSED = 'Y - - AuthResultReady'
const PENDING = 'C - - AuthResultNotReady'

for (const [number, eci] of [
  ['4100000000005000', '05'],
  ['5100000000005007', '02'],
  ['3528000000005006', '05'],
  ['340000000005008', '05'],
  ['4100000000721002', '05'],
] as const) {
  test(`the right code on the card ${number} authenticates it, and the event says that the result is ready`, async (t) => {
    const client = await serveThreeDS(t)
    const { started, form } = await startChallenge(client, number)
    assert.equal(await statusOf(client, started), PENDING)
    const returning = await client.submit(form, RIGHT_CODE)
    assert.equal(await statusOf(client, started), PASSED)
    const { body } = await client.result(started)
    assert.equal(field(body, 'eci'), eci)
    assert.match(String(field(body, 'authenticationValue')), /^[A-Za-z0-9+/]{27}=$/)
    const cres = formAt(returning)
    assert.equal(cres.action, `${client.origins.threeDS}/challenge-notification`)
    const message = decodeMessage(cres.fields.get('cres') ?? '')
    assert.equal(message?.['transStatus'], 'Y')
    assert.equal(message?.['threeDSServerTransID'], started.serverTransId)
    const [event, ...more] = await submitReturnForm(client, returning)
    assert.equal(more.length, 0)
    assert.equal(event?.action, EVENT_URL)
    assert.equal(event?.fields.get('event'), 'AuthResultReady')
    assert.equal(event?.fields.get('requestorTransId'), started.requestorTransId)
  })
}

test('the session data that the requestor gave to the challenge comes back with its event', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4100000000005000')
  const authenticated = await client.authenticate(started)
  const page = await openChallengePage(client, authenticated, {}, '&tds-session-data=b3JkZXItMQ')
  const again = await client.submit(formAt(page), WRONG_CODE)
  const [event] = await submitReturnForm(client, await client.submit(formAt(again), RIGHT_CODE))
  assert.equal(event?.fields.get('threeDSSessionData'), 'b3JkZXItMQ')
  const url = String(field(authenticated.body, 'challengeUrl'))
  assert.equal((await client.visit(`${url}&tds-session-data=${'x'.repeat(1024)}`)).status, 200)
  assert.equal((await client.visit(`${url}&tds-session-data=${'x'.repeat(1025)}`)).status, 400)
})

test('three wrong codes end the challenge, and each page shows how many attempts are left', async (t) => {
  const client = await serveThreeDS(t)
  for (const [number, code] of [
    ['4100000000005000', '654321'],
    ['4100000000710005', '123456'],
  ] as const) {
    const { started, page, form } = await startChallenge(client, number)
    assert.doesNotMatch(page.text, /role="alert"/)
    for (const attemptsLeft of [2, 1]) {
      const again = await client.submit(form, { ...WRONG_CODE, code })
      assert.ok(again.text.includes(JAPANESE.wrong(attemptsLeft)))
      assert.match(again.text, /role="alert" id="alert"/)
      assert.match(again.text, /aria-describedby="alert hint"\s+aria-invalid="true"/)
      assert.equal(await statusOf(client, started), PENDING)
    }
    const returning = await client.submit(form, { ...WRONG_CODE, code })
    assert.equal(await statusOf(client, started), 'N 19 - AuthResultReady')
    const [event] = await submitReturnForm(client, returning)
    assert.equal(event?.fields.get('event'), 'AuthResultReady')
    const tooLate = await client.submit(form, RIGHT_CODE)
    assert.equal(decodeMessage(formAt(tooLate).fields.get('cres') ?? '')?.['transStatus'], 'N')
    assert.equal(await statusOf(client, started), 'N 19 - AuthResultReady')
  }
})

test('opening the page again gives no attempts back', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4100000000005000')
  const authenticated = await client.authenticate(started)
  const form = formAt(await openChallengePage(client, authenticated))
  await client.submit(form, WRONG_CODE)
  await client.submit(form, WRONG_CODE)
  await openChallengePage(client, authenticated)
  await client.submit(form, WRONG_CODE)
  assert.equal(await statusOf(client, started), 'N 19 - AuthResultReady')
})

test('an empty code costs no attempt', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await startChallenge(client, '4100000000005000')
  for (let count = 0; count < 4; count += 1) {
    assert.ok((await client.submit(form, { ...WRONG_CODE, code: ' ' })).text.includes(JAPANESE.empty))
  }
  await client.submit(form, RIGHT_CODE)
  assert.equal(await statusOf(client, started), PASSED)
})

test('a code at full width or in groups is the same code', () => {
  for (const typed of ['123456', '１２３４５６', ' 123 456 ', '123-456']) {
    assert.deepEqual(judgeSubmission('code', 3, 'confirm', typed), { next: 'end', outcome: 'right_code' }, typed)
  }
  for (const typed of ['12345', '1234567', '123457']) {
    assert.equal(judgeSubmission('code', 3, 'confirm', typed).next, 'ask_again', typed)
  }
})

for (const number of [
  '4100000000005000',
  '4100000000710005',
  '4100000000711003',
  '4100000000712001',
  '4100000000715004',
]) {
  test(`cancelling the challenge of the card ${number} ends it as cancelled by the card holder`, async (t) => {
    const client = await serveThreeDS(t)
    const { started, form } = await startChallenge(client, number)
    const [event] = await submitReturnForm(client, await client.submit(form, CANCEL))
    assert.equal(await statusOf(client, started), 'N 01 01 AuthResultReady')
    assert.equal(event?.fields.get('event'), 'AuthResultReady')
  })
}

test('the card whose challenge can only be cancelled refuses every code', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await startChallenge(client, '4100000000711003')
  for (let count = 0; count < 4; count += 1) {
    assert.ok((await client.submit(form, RIGHT_CODE)).text.includes(JAPANESE.notAccepted))
  }
  assert.equal(await statusOf(client, started), PENDING)
})

test('a challenge that never finishes ends 30 seconds after it was opened, whatever is typed', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await startChallenge(client, '4100000000712001')
  client.advanceClock(29_999)
  assert.ok((await client.submit(form, RIGHT_CODE)).text.includes(JAPANESE.stillChecking))
  assert.equal(await statusOf(client, started), PENDING)
  client.advanceClock(1)
  assert.equal(await statusOf(client, started), 'N 14 04 AuthResultReady')
})

test('ten idle minutes end any challenge, and each step of the card holder restarts them', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await startChallenge(client, '4100000000005000')
  for (let count = 0; count < 2; count += 1) {
    client.advanceClock(599_999)
    await client.submit(form, WRONG_CODE)
  }
  assert.equal(await statusOf(client, started), PENDING)
  client.advanceClock(599_999)
  assert.equal(await statusOf(client, started), PENDING)
  client.advanceClock(1)
  assert.equal(await statusOf(client, started), 'N 14 04 AuthResultReady')
})

test('a challenge that is not opened within 30 seconds is over, at every time scale', async (t) => {
  const client = await serveThreeDS(t, 0.1)
  const started = await client.start('4100000000005000')
  const authenticated = await client.authenticate(started)
  client.advanceClock(29_999)
  assert.equal(await statusOf(client, started), PENDING)
  client.advanceClock(1)
  assert.equal(await statusOf(client, started), 'N 14 05 AuthResultReady')
  const returning = await openChallengePage(client, authenticated)
  assert.equal(decodeMessage(formAt(returning).fields.get('cres') ?? '')?.['transStatus'], 'N')
})

test('a challenge whose bank forbids the frame ends as never opened, sooner at a smaller time scale', async (t) => {
  const client = await serveThreeDS(t, 0.1)
  const { started, page, form } = await startChallenge(client, '4100000000713009')
  assert.equal(page.headers['x-frame-options'], 'DENY')
  assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.equal((await client.submit(form, RIGHT_CODE)).status, 404)
  client.advanceClock(2_999)
  assert.equal(await statusOf(client, started), PENDING)
  client.advanceClock(1)
  assert.equal(await statusOf(client, started), 'N 14 05 AuthResultReady')
})

test('a purchase approved in the bank’s app is authenticated after ten seconds without any event', async (t) => {
  const client = await serveThreeDS(t)
  const { started, page } = await startChallenge(client, '4100000000715004')
  assert.ok(page.text.includes(JAPANESE.appTitle))
  assert.doesNotMatch(page.text, /name="code"|<script/)
  client.advanceClock(9_999)
  assert.equal(await statusOf(client, started), PENDING)
  client.advanceClock(1)
  assert.equal(await statusOf(client, started), PASSED)
  assert.equal(field((await client.result(started)).body, 'authenticationType'), '03')
})

test('the event of a result can be sent twice', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await startChallenge(client, '4100000000716002')
  const events = await submitReturnForm(client, await client.submit(form, RIGHT_CODE))
  assert.deepEqual(
    events.map(({ action, target, fields }) => [action, target, fields.get('event')]),
    [
      [EVENT_URL, 'echo-frame', 'AuthResultReady'],
      [EVENT_URL, '', 'AuthResultReady'],
    ],
  )
  assert.equal(await statusOf(client, started), PASSED)
})

test('a challenge can end with an unknown event, and then has no result', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await startChallenge(client, '4100000000717000')
  const events = await submitReturnForm(client, await client.submit(form, RIGHT_CODE))
  assert.deepEqual(
    events.map(({ fields }) => fields.get('event')),
    ['SomethingElse'],
  )
  assert.equal(await statusOf(client, started), PENDING)
})

test('the page shows shop, amount and the last four digits of the card, everything escaped', async (t) => {
  const client = await serveThreeDS(t)
  const { page } = await startChallenge(client, '4100000000005000')
  assert.match(page.text, /<dd>Tea &lt;&amp;&gt; &quot;Co&quot;<\/dd>/)
  assert.ok(page.text.includes('¥1,298,000'))
  assert.ok(page.text.includes('•••• 5000'))
  assert.ok(!page.text.includes('4100000000005000'))
  assert.match(page.text, /<label for="code">/)
  assert.match(page.text, /inputmode="numeric"\s+autocomplete="one-time-code"/)
  assert.equal(formsOf(page).length, 1)
  assert.doesNotMatch(page.text, /<script/)
})

for (const size of ['01', '02', '03', '04', '05']) {
  test(`the window size ${size} that init asked for is the size of the bank’s page, after a wrong code as well`, async (t) => {
    const client = await serveThreeDS(t)
    const { page, form } = await startChallenge(client, '4100000000005000', { challengeWindowSize: size })
    for (const { text } of [page, await client.submit(form, WRONG_CODE)]) {
      assert.match(text, new RegExp(`class="sheet size-${size}"`))
    }
  })
}

test('the bank’s page is in the language of the browser, else in one that its request accepts, else in English', async (t) => {
  const client = await serveThreeDS(t)
  for (const language of BANK_LANGUAGES) {
    const info = { browserInfoCollected: { ...BROWSER_INFO, browserLanguage: language } }
    const { page } = await startChallenge(client, '4100000000005000', {}, info)
    assert.match(page.text, new RegExp(`<html lang="${language}">`))
    assert.ok(page.text.includes(bankWords[language].lead), language)
  }
  const chosen: [string, string, string][] = [
    ['zh-TW', '', 'zh-Hant'],
    ['zh-HK', '', 'zh-Hant'],
    ['zh-Hant-', '', 'zh-Hant'],
    ['zh', '', 'zh-Hans'],
    ['ja-JP', 'en', 'ja'],
    ['fr', 'de;q=0.9, th-TH;q=0.5', 'th'],
    ['', 'ko-KR,ko;q=0.9', 'ko'],
    ['fr', 'de', 'en'],
  ]
  for (const [browserLanguage, accepted, language] of chosen)
    assert.equal(chooseLanguage(browserLanguage, accepted), language, browserLanguage)
})

test('the bank’s texts are translated, and each language names the code and the attempts left', () => {
  const sentences = ['bank', 'title', 'lead', 'code', 'sandbox', 'confirm', 'cancel', 'empty', 'notAccepted'] as const
  for (const name of sentences) {
    // The two Chinese scripts may share a text.
    assert.ok(new Set(BANK_LANGUAGES.map((language) => bankWords[language][name])).size >= 5, name)
  }
  for (const language of BANK_LANGUAGES) {
    assert.ok(bankWords[language].sandbox.includes('123456'))
    assert.match(bankWords[language].wrong(2), /2/)
    assert.match(bankWords[language].wrong(1), /1/)
  }
})
