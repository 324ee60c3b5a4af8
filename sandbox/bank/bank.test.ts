import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import { bankLanguages, bankWords, chooseLanguage } from './words.ts'
import { judgeAnswer } from './challenge-answers.ts'
import { decodeMessage } from '../three-ds/field-reader.ts'
import {
  announcedBy,
  browserInfoCollected,
  eventUrl,
  formsOf,
  openChallenge,
  serveThreeDS,
  type Started,
  theForm,
  type ThreeDSClient,
} from '../testing/three-ds.ts'

const right = { code: '123456', action: 'confirm' }
const wrong = { code: '654321', action: 'confirm' }
const cancel = { code: '', action: 'cancel' }

const japanese = bankWords.ja

/** A challenge whose page is open. */
const opened = async (client: ThreeDSClient, number: string, init: object = {}, auth: object = {}) => {
  const started = await client.start(number, init)
  const page = await openChallenge(client, await client.authenticate(started, auth))
  return { started, page, form: theForm(page) }
}

const endOf = async ({ result, ready }: ThreeDSClient, started: Started): Promise<string> => {
  const { body } = await result(started)
  const told = ['transStatus', 'transStatusReason', 'challengeCancel'].map((name) => {
    const value = field(body, name)
    return typeof value === 'string' ? value : '-'
  })
  return `${told.join(' ')} ${String(await ready(started))}`
}

const passed = 'Y - - AuthResultReady'
const pending = 'C - - AuthResultNotReady'

for (const [number, eci] of [
  ['4100000000005000', '05'],
  ['5100000000005007', '02'],
  ['3528000000005006', '05'],
  ['340000000005008', '05'],
  ['4100000000721002', '05'],
] as const) {
  test(`the right code on the card ${number} authenticates it, and the event says that the result is ready`, async (t) => {
    const client = await serveThreeDS(t)
    const { started, form } = await opened(client, number)
    assert.equal(await endOf(client, started), pending)
    const leaving = await client.submit(form, right)
    assert.equal(await endOf(client, started), passed)
    const { body } = await client.result(started)
    assert.equal(field(body, 'eci'), eci)
    assert.match(String(field(body, 'authenticationValue')), /^[A-Za-z0-9+/]{27}=$/)
    const cres = theForm(leaving)
    assert.equal(cres.action, `${client.origins.threeDS}/challenge-notification`)
    const message = decodeMessage(cres.fields.get('cres') ?? '')
    assert.equal(message?.['transStatus'], 'Y')
    assert.equal(message?.['threeDSServerTransID'], started.serverTransId)
    const [event, ...more] = await announcedBy(client, leaving)
    assert.equal(more.length, 0)
    assert.equal(event?.action, eventUrl)
    assert.equal(event?.fields.get('event'), 'AuthResultReady')
    assert.equal(event?.fields.get('requestorTransId'), started.requestorTransId)
  })
}

test('what the requestor gave to the challenge comes back with its event', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4100000000005000')
  const authenticated = await client.authenticate(started)
  const page = await openChallenge(client, authenticated, {}, '&tds-session-data=b3JkZXItMQ')
  const again = await client.submit(theForm(page), wrong)
  const [event] = await announcedBy(client, await client.submit(theForm(again), right))
  assert.equal(event?.fields.get('threeDSSessionData'), 'b3JkZXItMQ')
  const url = String(field(authenticated.body, 'challengeUrl'))
  assert.equal((await client.visit(`${url}&tds-session-data=${'x'.repeat(1024)}`)).status, 200)
  assert.equal((await client.visit(`${url}&tds-session-data=${'x'.repeat(1025)}`)).status, 400)
})

test('three wrong codes end the challenge, and each page says how many tries are left', async (t) => {
  const client = await serveThreeDS(t)
  for (const [number, code] of [
    ['4100000000005000', '654321'],
    ['4100000000710005', '123456'],
  ] as const) {
    const { started, page, form } = await opened(client, number)
    assert.doesNotMatch(page.text, /role="alert"/)
    for (const triesLeft of [2, 1]) {
      const again = await client.submit(form, { ...wrong, code })
      assert.ok(again.text.includes(japanese.wrong(triesLeft)))
      assert.match(again.text, /role="alert" id="alert"/)
      assert.match(again.text, /aria-describedby="alert hint"\s+aria-invalid="true"/)
      assert.equal(await endOf(client, started), pending)
    }
    const leaving = await client.submit(form, { ...wrong, code })
    assert.equal(await endOf(client, started), 'N 19 - AuthResultReady')
    const [event] = await announcedBy(client, leaving)
    assert.equal(event?.fields.get('event'), 'AuthResultReady')
    const tooLate = await client.submit(form, right)
    assert.equal(decodeMessage(theForm(tooLate).fields.get('cres') ?? '')?.['transStatus'], 'N')
    assert.equal(await endOf(client, started), 'N 19 - AuthResultReady')
  }
})

test('reading the page again gives no tries back', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4100000000005000')
  const authenticated = await client.authenticate(started)
  const form = theForm(await openChallenge(client, authenticated))
  await client.submit(form, wrong)
  await client.submit(form, wrong)
  await openChallenge(client, authenticated)
  await client.submit(form, wrong)
  assert.equal(await endOf(client, started), 'N 19 - AuthResultReady')
})

test('an empty field costs no try', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await opened(client, '4100000000005000')
  for (let count = 0; count < 4; count += 1) {
    assert.ok((await client.submit(form, { ...wrong, code: ' ' })).text.includes(japanese.empty))
  }
  await client.submit(form, right)
  assert.equal(await endOf(client, started), passed)
})

test('a code at full width or in groups is the same code', () => {
  for (const typed of ['123456', '１２３４５６', ' 123 456 ', '123-456']) {
    assert.deepEqual(judgeAnswer('code', 3, 'confirm', typed), { next: 'end', end: 'right_code' }, typed)
  }
  for (const typed of ['12345', '1234567', '123457']) {
    assert.equal(judgeAnswer('code', 3, 'confirm', typed).next, 'ask_again', typed)
  }
})

for (const number of [
  '4100000000005000',
  '4100000000710005',
  '4100000000711003',
  '4100000000712001',
  '4100000000715004',
]) {
  test(`cancelling the challenge of the card ${number} ends it as the card holder’s own wish`, async (t) => {
    const client = await serveThreeDS(t)
    const { started, form } = await opened(client, number)
    const [event] = await announcedBy(client, await client.submit(form, cancel))
    assert.equal(await endOf(client, started), 'N 01 01 AuthResultReady')
    assert.equal(event?.fields.get('event'), 'AuthResultReady')
  })
}

test('where cancelling is the only way out, every code is answered by saying so', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await opened(client, '4100000000711003')
  for (let count = 0; count < 4; count += 1) {
    assert.ok((await client.submit(form, right)).text.includes(japanese.notAccepted))
  }
  assert.equal(await endOf(client, started), pending)
})

test('a challenge that never finishes ends 30 seconds after it was opened, whatever is typed', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await opened(client, '4100000000712001')
  client.pass(29_999)
  assert.ok((await client.submit(form, right)).text.includes(japanese.stillChecking))
  assert.equal(await endOf(client, started), pending)
  client.pass(1)
  assert.equal(await endOf(client, started), 'N 14 04 AuthResultReady')
})

test('ten idle minutes end any challenge, and each step of the card holder begins them anew', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await opened(client, '4100000000005000')
  for (let count = 0; count < 2; count += 1) {
    client.pass(599_999)
    await client.submit(form, wrong)
  }
  assert.equal(await endOf(client, started), pending)
  client.pass(599_999)
  assert.equal(await endOf(client, started), pending)
  client.pass(1)
  assert.equal(await endOf(client, started), 'N 14 04 AuthResultReady')
})

test('a challenge that is not opened within 30 seconds is over, however great the hurry', async (t) => {
  const client = await serveThreeDS(t, 0.1)
  const started = await client.start('4100000000005000')
  const authenticated = await client.authenticate(started)
  client.pass(29_999)
  assert.equal(await endOf(client, started), pending)
  client.pass(1)
  assert.equal(await endOf(client, started), 'N 14 05 AuthResultReady')
  const leaving = await openChallenge(client, authenticated)
  assert.equal(decodeMessage(theForm(leaving).fields.get('cres') ?? '')?.['transStatus'], 'N')
})

test('a bank that forbids its frame counts as never asked, and sooner in a hurry', async (t) => {
  const client = await serveThreeDS(t, 0.1)
  const { started, page, form } = await opened(client, '4100000000713009')
  assert.equal(page.headers['x-frame-options'], 'DENY')
  assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.equal((await client.submit(form, right)).status, 404)
  client.pass(2_999)
  assert.equal(await endOf(client, started), pending)
  client.pass(1)
  assert.equal(await endOf(client, started), 'N 14 05 AuthResultReady')
})

test('a purchase approved in the bank’s app passes after ten seconds without any event', async (t) => {
  const client = await serveThreeDS(t)
  const { started, page } = await opened(client, '4100000000715004')
  assert.ok(page.text.includes(japanese.appTitle))
  assert.doesNotMatch(page.text, /name="code"|<script/)
  client.pass(9_999)
  assert.equal(await endOf(client, started), pending)
  client.pass(1)
  assert.equal(await endOf(client, started), passed)
  assert.equal(field((await client.result(started)).body, 'authenticationType'), '03')
})

test('a result can be announced twice', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await opened(client, '4100000000716002')
  const events = await announcedBy(client, await client.submit(form, right))
  assert.deepEqual(
    events.map(({ action, target, fields }) => [action, target, fields.get('event')]),
    [
      [eventUrl, 'echo-frame', 'AuthResultReady'],
      [eventUrl, '', 'AuthResultReady'],
    ],
  )
  assert.equal(await endOf(client, started), passed)
})

test('a challenge can end with an event nobody knows, and then has no result', async (t) => {
  const client = await serveThreeDS(t)
  const { started, form } = await opened(client, '4100000000717000')
  const events = await announcedBy(client, await client.submit(form, right))
  assert.deepEqual(
    events.map(({ fields }) => fields.get('event')),
    ['SomethingElse'],
  )
  assert.equal(await endOf(client, started), pending)
})

test('the page shows shop, amount and the card’s last four, and everything escaped', async (t) => {
  const client = await serveThreeDS(t)
  const { page } = await opened(client, '4100000000005000')
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
    const { page, form } = await opened(client, '4100000000005000', { challengeWindowSize: size })
    for (const { text } of [page, await client.submit(form, wrong)]) {
      assert.match(text, new RegExp(`class="sheet size-${size}"`))
    }
  })
}

test('the bank speaks the language of the browser, else what its request accepts, else English', async (t) => {
  const client = await serveThreeDS(t)
  for (const language of bankLanguages) {
    const info = { browserInfoCollected: { ...browserInfoCollected, browserLanguage: language } }
    const { page } = await opened(client, '4100000000005000', {}, info)
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
  for (const [told, accepted, language] of chosen) assert.equal(chooseLanguage(told, accepted), language, told)
})

test('the bank’s sentences are translated, and each language names the code and the tries left', () => {
  const sentences = ['bank', 'title', 'lead', 'code', 'sandbox', 'confirm', 'cancel', 'empty', 'notAccepted'] as const
  for (const name of sentences) {
    // The two Chinese scripts may share a word.
    assert.ok(new Set(bankLanguages.map((language) => bankWords[language][name])).size >= 5, name)
  }
  for (const language of bankLanguages) {
    assert.ok(bankWords[language].sandbox.includes('123456'))
    assert.match(bankWords[language].wrong(2), /2/)
    assert.match(bankWords[language].wrong(1), /1/)
  }
})
