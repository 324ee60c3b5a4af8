import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import {
  BROWSER_INFO,
  EVENT_URL,
  formAt,
  formsOf,
  serveThreeDS,
  type StartedTransaction,
  type ThreeDSClient,
} from '../testing/three-ds.ts'
import { decodeMessage, encodeMessage } from './form-message.ts'

const addressOf = ({ initResponse }: StartedTransaction, name: string): string => String(field(initResponse, name))

const eventAfterWatching = async ({ visit, submit }: ThreeDSClient, started: StartedTransaction): Promise<string> => {
  const ended = await submit(formAt(await visit(addressOf(started, 'monUrl'))))
  return formsOf(ended)[0]?.fields.get('event') ?? 'nothing'
}

const eventForm = (started: StartedTransaction, name: string) => ({
  action: EVENT_URL,
  target: '',
  fields: new Map([
    ['event', name],
    ['requestorTransId', started.requestorTransId],
    ['param', ''],
    ['threeDSSessionData', ''],
  ]),
})

test('the bank’s 3DS method runs in a frame of the collect page, reports its end, and then the event is sent', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4242424242424242')
  const page = await client.visit(addressOf(started, 'threeDSServerCallbackUrl'), { headers: { accept: 'text/"html' } })
  assert.match(page.text, /data-accept="text\/&quot;html"/)
  const [finished, methodForm, ...more] = formsOf(page)
  assert.deepEqual(finished, eventForm(started, '3DSMethodFinished'))
  assert.equal(more.length, 0)
  assert.ok(methodForm)
  assert.match(page.text, new RegExp(`<iframe name="${methodForm.target}"`))
  assert.equal(methodForm.action, `${client.origins.bank}/method`)
  const sent = methodForm.fields.get('threeDSMethodData') ?? ''
  assert.doesNotMatch(sent, /=/)
  assert.deepEqual(decodeMessage(sent), {
    threeDSServerTransID: started.serverTransId,
    threeDSMethodNotificationURL: `${client.origins.threeDS}/method-notification`,
  })

  const method = await client.submit(methodForm)
  assert.equal(method.status, 200)
  assert.match(method.text, /data-wait-ms="0"/)
  const notified = await client.submit(formAt(method))
  assert.match(notified.text, /parent\.postMessage\('3DSMethodFinished', location\.origin\)/)
  assert.equal(await eventAfterWatching(client, started), 'nothing')

  const browserInfo = encodeMessage(BROWSER_INFO)
  const authenticated = await client.authenticate(started, { browserInfo, browserInfoCollected: undefined })
  assert.equal(field(authenticated.body, 'transStatus'), 'Y')
})

for (const number of ['4111111111111111', '4100000000000100', '5105105105105100']) {
  test(`the card ${number} has no 3DS method: it is skipped, and there is nothing to watch`, async (t) => {
    const client = await serveThreeDS(t)
    const started = await client.start(number)
    const page = await client.visit(addressOf(started, 'threeDSServerCallbackUrl'))
    assert.deepEqual(formsOf(page), [eventForm(started, '3DSMethodSkipped')])
    assert.equal(await eventAfterWatching(client, started), 'nothing')
  })
}

test('a method that never ends is noticed by the watch page when its ten seconds are over', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4100000000720004')
  const page = await client.visit(addressOf(started, 'threeDSServerCallbackUrl'))
  const method = await client.submit(formAt(page, 1))
  assert.doesNotMatch(method.text, /<script/)
  const watch = await client.visit(addressOf(started, 'monUrl'))
  assert.match(watch.text, /data-wait-ms="10000"/)
  const ended = await client.submit(formAt(watch))
  assert.deepEqual(formsOf(ended), [eventForm(started, 'InitAuthTimedOut')])
})

test('a method that ends late does so a second after the watch page’s timeout', async (t) => {
  const client = await serveThreeDS(t, 0.1)
  const started = await client.start('4100000000721002')
  assert.match((await client.visit(addressOf(started, 'monUrl'))).text, /data-wait-ms="1000"/)
  const page = await client.visit(addressOf(started, 'threeDSServerCallbackUrl'))
  assert.equal(formAt(page).fields.get('event'), '3DSMethodFinished')
  assert.match((await client.submit(formAt(page, 1))).text, /data-wait-ms="2000"/)
  assert.equal(await eventAfterWatching(client, started), 'InitAuthTimedOut')
})

test('no timeout is below a second, at every time scale', async (t) => {
  const client = await serveThreeDS(t, 0.01)
  const started = await client.start('4242424242424242')
  assert.match((await client.visit(addressOf(started, 'monUrl'))).text, /data-wait-ms="1000"/)
})

test('collecting can end with an unknown event', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4100000000722000')
  const page = await client.visit(addressOf(started, 'threeDSServerCallbackUrl'))
  assert.deepEqual(formsOf(page), [eventForm(started, 'SomethingElse')])
})

test('an error of the method is sent from a frame, so that the collect page stays and finishes', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4100000000724006')
  const page = await client.visit(addressOf(started, 'threeDSServerCallbackUrl'))
  const [finished, error, method] = formsOf(page)
  assert.deepEqual(finished, eventForm(started, '3DSMethodFinished'))
  assert.deepEqual(error, { ...eventForm(started, '3DSMethodHasError'), target: 'trouble-frame' })
  assert.match(page.text, /<iframe name="trouble-frame"/)
  assert.equal(method?.action, `${client.origins.bank}/method`)
})

test('a collect host that never answers accepts the connection and serves neither page', async (t) => {
  const client = await serveThreeDS(t)
  const started = await client.start('4100000000723008')
  const unanswered = ['threeDSServerCallbackUrl', 'monUrl'].map((name) =>
    assert.rejects(client.visit(addressOf(started, name), { signal: AbortSignal.timeout(500) }), {
      name: 'AbortError',
    }),
  )
  await Promise.all(unanswered)
  assert.equal(field((await client.authenticate(started)).body, 'transStatus'), 'Y')
})

test('a collect host that never answers drops the connection in the end', async (t) => {
  const client = await serveThreeDS(t, 0.01)
  const started = await client.start('4100000000723008')
  await assert.rejects(client.visit(addressOf(started, 'monUrl')), { code: 'ECONNRESET' })
})

test('messages that name no known transaction are refused with a page', async (t) => {
  const { visit, submit, origins } = await serveThreeDS(t)
  const send = (action: string, fields: Record<string, string>) =>
    submit({ action, target: '', fields: new Map(Object.entries(fields)) })
  const elsewhere = encodeMessage({
    threeDSServerTransID: 'x',
    threeDSMethodNotificationURL: 'https://evil.example/method-notification',
  })
  const unknown = encodeMessage({ threeDSServerTransID: 'x' })
  const answers: [Promise<{ status: number; text: string }>, number][] = [
    [visit(`${origins.threeDS}/collect?transId=x`), 404],
    [visit(`${origins.threeDS}/watch`), 404],
    [send(`${origins.threeDS}/watch?transId=x`, {}), 404],
    [visit(`${origins.threeDS}/challenge?transId=x`), 404],
    [send(`${origins.threeDS}/method-notification`, { threeDSMethodData: '%' }), 400],
    [send(`${origins.threeDS}/method-notification`, { threeDSMethodData: unknown }), 404],
    [send(`${origins.threeDS}/challenge-notification`, { cres: '' }), 400],
    [send(`${origins.threeDS}/challenge-notification`, { cres: unknown }), 404],
    [send(`${origins.bank}/method`, { threeDSMethodData: elsewhere }), 400],
    [send(`${origins.bank}/challenge`, { creq: '' }), 400],
    [send(`${origins.bank}/challenge`, { creq: encodeMessage({ messageType: 'CReq', acsTransID: 'x' }) }), 404],
    [send(`${origins.bank}/challenge/answer`, { acsTransID: 'x' }), 404],
  ]
  for (const [index, [answer, expected]] of answers.entries()) {
    const { status, text } = await answer
    assert.equal(status, expected, String(index))
    assert.match(text, /^<!doctype html>/)
    assert.equal(formsOf({ text }).length, 0)
  }
})
